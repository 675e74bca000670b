-- What the pane shows of a lesson: the page as lines, and what its frame says.
local core = ...
local kept_text, prompt, Run = core.answer.kept_text, core.answer.prompt, core.Run

-- Lines "ROLE text", ROLE one letter.
local letters = { text = "t", title = "T", ask = "a", right = "r", wrong = "w", hint = "h", key = "k", dim = "d" }

local function add(lines, role, text)
  for line in (text .. "\n"):gmatch("(.-)\n") do lines[#lines + 1] = letters[role] .. line end
end

-- Lines of source text that belong together become one, blank lines part paragraphs.
local function paragraphs(text)
  text = text:gsub("^%s+", ""):gsub("%s+$", ""):gsub("\n[ \t]*\n%s*", "\1")
  text = text:gsub("%s*\n%s*", " ")
  return (text:gsub("\1", "\n\n"))
end
core.paragraphs = paragraphs

local function question_lines(run, lines, ask)
  add(lines, "ask", "? " .. paragraphs(prompt(run, ask)))
  for i, option in ipairs(ask.options or {}) do
    add(lines, "text", ("  %d  %s"):format(i, kept_text(run, option)))
  end
end

function Run:screen()
  local lines, page = {}, self.lesson[self.page]
  local left = self:tasks_left()
  if page.say then add(lines, "text", paragraphs(kept_text(self, page.say))) add(lines, "text", "") end
  if page.play then add(lines, "ask", paragraphs(kept_text(self, page.play))) add(lines, "text", "") end
  for _, plot in ipairs(self.plots) do
    add(lines, "text", core.plot_lines(plot, self.columns, self.rows))
    add(lines, "text", "")
  end
  for k = 1, core.tasks_of(page) do
    if left and k > left then break end
    if page[k] then
      question_lines(self, lines, page[k])
    else
      add(lines, "ask", "> " .. paragraphs(kept_text(self, page.task or "Do it with the machine, then press Enter here.")))
    end
    local hints = (page[k] or page).hint
    for n = 1, self.hints[self.page][k] or 0 do add(lines, "hint", "hint: " .. kept_text(self, hints[n])) end
    if self.solved[self.page][k] then
      add(lines, "right", "= " .. self.solved[self.page][k])
      local why = self.reasons[self.page] and self.reasons[self.page][k]
      if why then add(lines, "text", paragraphs(why)) end
    end
    add(lines, "text", "")
  end
  if self.feedback then add(lines, self.feedback[1], self.feedback[2]) end
  return table.concat(lines, "\n")
end

-- What the pane's frame and key line say: page, pages, and whether an answer, a check or nothing
-- is wanted; whether an answer has just been refused; whether a bet is to come before the machine moves,
-- or the page invites to play; what the views keep back.
function Run:status()
  local k = self:tasks_left()
  local wants = not k and "next" or self.lesson[self.page][k] and "answer" or "check"
  return ("%d %d %s %s %s %s %s"):format(self.page, #self.lesson, wants, self.finished and "finished" or "open",
    self.refused and "refused" or "taken", self:wants_bet() and "bet" or self.lesson[self.page].play and "play" or "free", table.concat(self.lesson[self.page].hide, ","))
end

