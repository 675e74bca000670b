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

-- The page's text, and that it is the page who has edited the machine, as the top line shows.
local function say_lines(run, lines, page)
  local text = page.say and paragraphs(kept_text(run, page.say)) or ""
  if run.edits and not text:find("`edited`", 1, true) then
    text = text .. (text ~= "" and " " or "") .. "(`edited` in the top line: by this page.)"
  end
  if text == "" then return end
  add(lines, "text", text)
  add(lines, "text", "")
end

-- How it was solved; beside it what was said of that, until something else is.
local function solved_line(run, page, k)
  local said = run.feedback and run.feedback.k == k and page[k] and run.feedback[1] == "right"
  return "= " .. run.solved[run.page][k] .. (said and "  " .. run.feedback[2] or "")
end

-- For who does not show the page: what was said last, or the hint that was given last. Its letter as
-- in screen(); then "<" if it is said of a question before the one that is open, else a blank.
function Run:said()
  local f, page, k = self.feedback, self.lesson[self.page], self:tasks_left()
  if f and f.k then
    local text = page[f.k] and f[1] == "right" and solved_line(self, page, f.k) or f[2]
    return letters[f[1]] .. "<" .. text
  end
  local hints = k and self.hints[self.page][k] or 0
  if f and f[1] == "text" and not self.refused and hints > 0 then f = nil end
  if not f and hints > 0 then f = { "hint", "hint: " .. kept_text(self, (page[k] or page).hint[hints]) } end
  return f and letters[f[1]] .. " " .. f[2] or ""
end

function Run:screen()
  local lines, page = {}, self.lesson[self.page]
  local left = self:tasks_left()
  say_lines(self, lines, page)
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
      add(lines, "right", solved_line(self, page, k))
      local why = self.reasons[self.page] and self.reasons[self.page][k]
      if why then add(lines, "text", paragraphs(why)) end
    end
    add(lines, "text", "")
  end
  if self.feedback and not self.feedback.k then add(lines, self.feedback[1], self.feedback[2]) end
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

