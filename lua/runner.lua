-- Takes a pupil through a lesson: one page at a time, its questions one after the other, then its
-- task. A page notes the machine as it is when first entered; entering it again restores that, so
-- that going back never rewinds Lua. The same code plays a lesson without a screen (check, grade).
local core = ...

local Run = {}
Run.__index = Run

-- ---- values and texts ----

local function text_of(run, x)
  if type(x) == "function" then x = x(run.m, run.v) end
  return x == nil and "" or tostring(x)
end

-- The same numbers for the same pupil on the same page.
local function pupil_random(seed, page)
  local x = (seed * 7919 + page * 104729 + 12345) & 0xffffffff
  return function(low, high)
    x = (x * 1664525 + 1013904223) & 0xffffffff
    return low + (x >> 16) % (high - low + 1)
  end
end

local function act(run, action)
  if type(action) == "function" then
    action(run.m, run.v)
  elseif type(action) == "table" then
    for _, line in ipairs(action) do run.m:cmd(line) end
  elseif action then
    run.m:cmd(action)
  end
end

-- ---- answers ----

-- Text typed for a number -> number in the unit of the format, or nil and why not.
local parsers = {}

local function plain(text)
  text = text:gsub("−", "-"):gsub("[%s_]", "")
  local a, b = text:match("^(-?[%d.]+)/(%d+)$")
  if a and tonumber(a) and tonumber(b) ~= 0 then return tonumber(a) / tonumber(b) end
  if text:find("^[-+]?%.?%d[%d.eE+-]*$") then return tonumber((text:gsub("^%+", ""))) end
end

function parsers.hex(text)
  text = text:gsub("[%s_]", "")
  local digits = text:match("^0[xX](%x+)$") or text:match("^(%x+)$")
  if digits and #digits <= 8 then return tonumber(digits, 16) end
  local value = text:find("[./]") and plain(text)
  if value and value * 256 == math.floor(value * 256) then return math.tointeger(value * 256) & 0xffff end
  return nil, "a raw word in hex is wanted, like 0x00c8"
end

function parsers.int(text)
  local digits = text:match("^%s*0[xX](%x+)%s*$")
  local value = digits and #digits <= 8 and tonumber(digits, 16) or plain(text)
  local whole = value and math.tointeger(value)
  if whole then return whole end
  return nil, "a whole number is wanted"
end

function parsers.value(text)
  local digits = text:match("^%s*0[xX](%x+)%s*$")
  if digits and #digits <= 4 then
    local raw = tonumber(digits, 16)
    return (raw >= 0x8000 and raw - 0x10000 or raw) / 256 -- the raw word of the value
  end
  local value = plain(text)
  if value then return value end
  return nil, "a number is wanted, like -0.25 or 1/256"
end

function parsers.state(text) return (text:gsub("%s", ""):upper()) end

-- A character of a model; "'e'" and "E" are e.
function parsers.letter(text)
  local letter = text:match("^%s*['\"]?([!-~])['\"]?%s*$")
  if letter then return letter:lower() end
  return nil, "one letter is wanted"
end

local function same(format, given, wanted, tolerance)
  if format == "state" or format == "letter" then return given == wanted end
  if format == "hex" then
    local width = (wanted < -32768 or wanted > 65535 or given > 65535) and 0xffffffff or 0xffff
    return given & width == wanted & width
  end
  return math.abs(given - wanted) <= (tolerance or 0)
end

local function number_text(format, n)
  if format == "hex" then
    return ("0x%04x"):format(n < 0 and n >= -32768 and n & 0xffff or n & 0xffffffff)
  end
  if format == "value" and math.type(n) == "float" then return ("%.14g"):format(n) end
  return tostring(n)
end

local function format_of(run, ask)
  if ask.format then return ask.format end
  if type(ask.predict) ~= "string" then return "int" end
  local kind = run.m:info((ask.predict:gsub("%[.*", ""))).type
  return kind == "state" and "state" or kind == "fixed" and "hex" or "int"
end

local function choice_index(run, ask, text)
  text = text:match("^%s*(.-)%s*$")
  if math.tointeger(tonumber(text)) then return math.tointeger(tonumber(text)) end
  local letter = #text == 1 and text:lower():byte() - 96
  if letter and letter >= 1 and letter <= #ask.options then return letter end
  for i, option in ipairs(ask.options) do
    if text_of(run, option):lower() == text:lower() then return i end
  end
end

-- What the machine, or the author, says is right: a number, a state name, or an option's index.
-- For a prediction the machine moves on to the moment it speaks of, from where the question found
-- it: the pupil may have gone to look, and not come back.
local function right_answer(run, ask)
  if ask.kind == "predict" then
    run.m:restore(run.asked)
    act(run, ask.after)
    run.asked = run.m:mark()
    if type(ask.predict) == "function" then return ask.predict(run.m, run.v) end
    if format_of(run, ask) == "value" then return run.m:value(ask.predict) end
    return run.m:get(ask.predict)
  end
  local answer = ask.answer
  if type(answer) == "function" then answer = answer(run.m, run.v) end
  if ask.kind == "choice" and type(answer) == "string" then
    for i, option in ipairs(ask.options) do
      if text_of(run, option) == answer then return i end
    end
    error(("answer is none of the options: %s"):format(answer), 0)
  end
  return answer
end

local function answer_text(run, ask, answer)
  if ask.kind == "choice" then return text_of(run, ask.options[answer]) end
  return number_text(format_of(run, ask), answer)
end

-- ok, reason; reason "unreadable" as a third value when it was no answer at all.
local function judge(run, ask, text)
  local given, why
  if ask.kind == "choice" then
    given = choice_index(run, ask, text)
    if not given or given < 1 or given > #ask.options then
      return false, ("one of 1..%d is wanted"):format(#ask.options), true
    end
  else
    given, why = parsers[format_of(run, ask)](text)
    if given == nil then return false, why, true end
  end
  local mark, asked = ask.kind == "predict" and run.m:mark(), run.asked
  local wanted = right_answer(run, ask)
  local ok
  if ask.kind == "choice" then ok = given == wanted
  else ok = same(format_of(run, ask), given, wanted, ask.tolerance) end
  if ok then return true, text_of(run, ask.because) end
  if mark then run.m:restore(mark) end
  run.asked = asked
  local mistake = ask.mistake and ask.mistake(given, run.m, run.v)
  return false, mistake or ask.kind == "predict" and
    "the machine will not agree: go there, look, and say what you saw" or "that is not it"
end

-- ---- pages ----

local function tasks_of(page) return #page + (page.check and 1 or 0) end

function Run:tasks_left()
  local page = self.lesson[self.page]
  for k = 1, tasks_of(page) do
    if not self.solved[self.page][k] then return k end
  end
end

-- What of `set` are parameters of the machine; the rest is for the views.
local function prepare(run, page)
  local parameters
  for key, value in pairs(page.set or {}) do
    if key == "value" then
      screen.fmt(value)
    elseif key == "file" then
      screen.tensors(value[1], value)
    else
      parameters = parameters or {}
      parameters[key] = value
    end
  end
  if parameters then run.m:configure(parameters) end
  run.v.random = pupil_random(run.seed, run.page)
  if page.init then page.init(run.m, run.v) end
end

local function wishes(page)
  if page.show then screen.show(page.show) end
  if page.zoom ~= nil then screen.zoom(page.zoom) end
  if page.cursor then screen.cursor(page.cursor) end
  for _, name in ipairs(page.highlight) do screen.highlight(name) end
end

function Run:enter(i)
  local page = self.lesson[i]
  self.page, self.feedback, self.drawn = i, nil, nil
  self.solved[i] = self.solved[i] or {}
  self.hints[i] = self.hints[i] or {}
  if self.marks[i] then self.m:restore(self.marks[i]) else self.marks[i] = self.m:mark() end
  prepare(self, page)
  self.asked = self.m:mark()
  local left = self:tasks_left()
  for k = 1, left and left - 1 or 0 do -- to where the first question left begins
    if page[k] and page[k].kind == "predict" then right_answer(self, page[k]) end
  end
  wishes(page)
  if page.plot then page.plot(self.m, self.v) end
  self.drawn = core.take_plot()
end

function Run:leave(i)
  if self.lesson[self.page].play then self.m:restore(self.marks[self.page]) end
  self:enter(i)
end

local function skip_of(run) return run.lesson[run.page].skip or run.lesson.skip end

-- ---- what the pupil does: each returns nothing, and leaves feedback { role, text } ----

function Run:say(role, text) self.feedback = { role, text } end

function Run:solve_step(k, how, reason)
  self.solved[self.page][k] = how
  self.reasons[self.page] = self.reasons[self.page] or {}
  self.reasons[self.page][k] = reason ~= "" and reason or nil
end

local verbs = {}

function verbs.answer(run, text)
  local k, page = run:tasks_left(), run.lesson[run.page]
  local ask = k and page[k]
  if not ask then
    return run:say("text", k and "this is done with the machine: then check" or "there is no question left here")
  end
  local ok, reason, unreadable = judge(run, ask, text)
  if ok then
    run:solve_step(k, answer_text(run, ask, ask.kind == "choice" and choice_index(run, ask, text)
      or parsers[format_of(run, ask)](text)), reason)
    run:say("right", "Right.")
  elseif unreadable then
    run:say("text", text .. ": " .. reason)
  else
    local given = ask.kind == "choice" and text_of(run, ask.options[choice_index(run, ask, text)]) or text
    run:say("wrong", ("%s: %s"):format(given, reason))
  end
end

function verbs.check(run)
  local k, page = run:tasks_left(), run.lesson[run.page]
  if not k then return run:say("text", "all is done here: Enter goes on") end
  if page[k] then return run:say("text", "answer the question first") end
  local ok, reason = page.check(run.m, run.v)
  if ok then
    run:solve_step(k, "done", text_of(run, page.because))
    run:say("right", "Done.")
  else
    run:say("wrong", "Not yet: " .. (reason and tostring(reason) or "it does not hold"))
  end
end

function verbs.hint(run)
  local k, page = run:tasks_left(), run.lesson[run.page]
  if not k then return run:say("text", "nothing is left to solve here") end
  local hints, shown = (page[k] or page).hint, run.hints[run.page]
  shown[k] = math.min((shown[k] or 0) + 1, #hints)
  run:say("text", #hints == 0 and "there is no hint" or
    shown[k] == #hints and "that was the last hint" or "i: one more hint")
end

function verbs.next(run)
  if run:tasks_left() and skip_of(run) == "locked" then
    return run:say("text", "this lesson goes on when this page is solved; i gives a hint")
  elseif run:tasks_left() then
    return run:say("text", "not solved yet: i gives a hint, S shows the answer and goes on")
  elseif run.page < #run.lesson then
    return run:leave(run.page + 1)
  end
  run.finished = true
  run:say("right", "That was the last page. L with another lesson: `lesson NAME`.")
end

function verbs.back(run)
  if run.page == 1 then return run:say("text", "this is the first page") end
  run:leave(run.page - 1)
end

-- The answer, shown; locked lessons refuse.
function verbs.skip(run)
  local k, page = run:tasks_left(), run.lesson[run.page]
  if not k then return verbs.next(run) end
  if skip_of(run) == "locked" then
    return run:say("text", "this lesson does not allow to skip; i gives a hint")
  end
  if page[k] then
    local answer = answer_text(run, page[k], right_answer(run, page[k]))
    run:solve_step(k, answer .. " (shown)", text_of(run, page[k].because))
    run:say("text", "The answer is " .. answer .. ".")
  else
    act(run, page.auto)
    run:solve_step(k, "done (shown)", text_of(run, page.because))
    run:say("text", "The machine has been taken there.")
  end
end

function verbs.again(run) run:enter(run.page) end

-- ---- the pane: lines "ROLE text", ROLE one letter ----

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

local function question_lines(run, lines, ask)
  local prompt = ask[ask.kind] -- what is predicted is not read here: it has not come yet
  if ask.kind == "predict" then
    prompt = ask.text or ("What will %s be?"):format(ask.predict)
  end
  prompt = text_of(run, prompt)
  add(lines, "ask", "? " .. paragraphs(prompt))
  for i, option in ipairs(ask.options or {}) do
    add(lines, "text", ("  %d  %s"):format(i, text_of(run, option)))
  end
end

function Run:screen()
  local lines, page = {}, self.lesson[self.page]
  local left = self:tasks_left()
  if page.say then add(lines, "text", paragraphs(text_of(self, page.say))) add(lines, "text", "") end
  if page.play then add(lines, "ask", paragraphs(text_of(self, page.play))) add(lines, "text", "") end
  if self.drawn then add(lines, "text", self.drawn) add(lines, "text", "") end
  for k = 1, tasks_of(page) do
    if left and k > left then break end
    if page[k] then
      question_lines(self, lines, page[k])
    else
      add(lines, "ask", "> " .. paragraphs(text_of(self, page.task or "Do it with the machine, then press c.")))
    end
    local hints = (page[k] or page).hint
    for n = 1, self.hints[self.page][k] or 0 do add(lines, "hint", "hint: " .. text_of(self, hints[n])) end
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
-- is wanted.
function Run:status()
  local k = self:tasks_left()
  local wants = not k and "next" or self.lesson[self.page][k] and "answer" or "check"
  return ("%d %d %s %s %s"):format(self.page, #self.lesson, wants, self.finished and "finished" or "open",
    self.lesson.title)
end

-- ---- progress: what is written down, and how it is taken up again ----

function Run:progress()
  local lines = { "seed " .. self.seed, ("page %d of %d"):format(self.page, #self.lesson) }
  if self.finished then lines[#lines + 1] = "finished" end
  for i = 1, #self.lesson do
    for k, how in pairs(self.solved[i] or {}) do
      lines[#lines + 1] = ("solved %d %d %s"):format(i, k, how)
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

-- Do what the page wants, by the author's own solutions.
local function solve_page(run)
  local page = run.lesson[run.page]
  for _, ask in ipairs(page) do right_answer(run, ask) end
  if page.check then act(run, page.auto) end
end

local function new_run(lesson, m, seed)
  local run = setmetatable({ lesson = lesson, m = m, seed = seed, v = {}, marks = {}, solved = {},
    hints = {}, reasons = {} }, Run)
  local with_model = lesson.setup and lesson.setup.model
  local setup = with_model and { tokens = 0 } or
    { preset = "deck", stimulus = "integration", tokens = 0 }
  for key, value in pairs(lesson.setup or {}) do setup[key] = value end
  m:configure(setup)
  return run
end

local function resume(run, progress)
  local page = math.tointeger(tonumber(progress:match("page (%d+)"))) or 1
  if progress:find("finished") then page = 1 end
  page = math.max(1, math.min(page, #run.lesson))
  run:enter(1)
  for i = 2, page do
    solve_page(run)
    run:leave(i)
  end
  for i, k, how in progress:gmatch("solved (%d+) (%d+) ([^\n]*)") do
    i, k = tonumber(i), tonumber(k)
    if i < page and run.solved[i] then run.solved[i][k] = how end
  end
end

-- ---- no screen: check and grade ----

-- Answers that must not be taken: the author's, or some that are near.
local function wrong_answers(run, ask, right)
  if ask.wrong ~= nil then
    local list = type(ask.wrong) == "table" and ask.wrong or { ask.wrong }
    local texts = {}
    for i, wrong in ipairs(list) do
      if type(wrong) == "function" then wrong = wrong(run.m, run.v) end
      texts[i] = type(wrong) == "number" and ask.kind ~= "choice" and number_text(format_of(run, ask), wrong)
        or tostring(wrong)
    end
    if ask.kind ~= "choice" then return texts end
  end
  if ask.kind == "choice" then
    local texts = {}
    for i = 1, #ask.options do
      if i ~= right then texts[#texts + 1] = tostring(i) end
    end
    return texts
  elseif format_of(run, ask) == "state" then
    return { right == "IDLE" and "DONE" or "IDLE" }
  elseif format_of(run, ask) == "letter" then
    return { right == "e" and "a" or "e" }
  end
  local step = 2 * (ask.tolerance or 0) + 1
  return { number_text(format_of(run, ask), right + (format_of(run, ask) == "hex" and 1 or step)) }
end

-- What the texts say in words of their own must be so.
local function check_claim(run, item, fail)
  if not item.claim then return end
  local mark = run.m:mark()
  local ok, reason = item.claim(run.m, run.v)
  run.m:restore(mark)
  if not ok then fail(item.where, "what it claims is not so: " .. tostring(reason or "no reason given")) end
end

local function check_ask(run, ask, fail)
  run.at = ask.where
  local mark, asked = run.m:mark(), run.asked
  local right = right_answer(run, ask)
  local right_text = ask.kind == "choice" and tostring(right) or answer_text(run, ask, right)
  run.asked = asked
  if ask.kind == "predict" then run.m:step(3) end -- a pupil who looks ahead
  local ok, reason = judge(run, ask, right_text)
  if not ok then fail(ask.where, ("its own answer %s is not accepted after looking ahead: %s"):format(right_text, reason)) end
  run.asked = asked
  run.m:restore(mark)
  local hash = run.m:hash()
  for _, text in ipairs(wrong_answers(run, ask, right)) do
    local ok, _, unreadable = judge(run, ask, text)
    if ok then fail(ask.where, ("the wrong answer %s is accepted"):format(text)) run.m:restore(mark) end
    if unreadable then fail(ask.where, ("the wrong answer %s cannot even be read"):format(text)) end
    if run.m:hash() ~= hash then fail(ask.where, "a wrong answer has moved the machine") run.m:restore(mark) end
  end
  ok, reason = judge(run, ask, right_text)
  if not ok then fail(ask.where, ("its own answer %s is not accepted: %s"):format(right_text, reason)) end
  check_claim(run, ask, fail)
end

local function check_task(run, page, fail)
  run.at = page.where
  if page.check(run.m, run.v) then fail(page.where, "the check holds before anything has been done") end
  act(run, page.auto)
  local ok, reason = page.check(run.m, run.v)
  if not ok then fail(page.where, "its own solution does not pass: " .. tostring(reason or "no reason given")) end
end

local function check_page(run, i, fail)
  local page = run.lesson[i]
  if i == 1 then run:enter(1) else run:leave(i) end
  local hash = run.m:hash()
  run:enter(i)
  if run.m:hash() ~= hash then fail(page.where, "entered again, the machine is another one") end
  run:screen()
  check_claim(run, page, fail)
  for k, ask in ipairs(page) do
    check_ask(run, ask, fail)
    run.solved[i][k] = "checked"
  end
  if page.check then check_task(run, page, fail) end
  for k = 1, tasks_of(page) do run.hints[i][k] = 99 end
  for _, list in ipairs({ page.hint }) do
    for _, hint in ipairs(list) do text_of(run, hint) end
  end
  text_of(run, page.because)
end

-- Play the lesson with its own solutions, for several pupils: "pages questions predictions", then
-- a line "WHERE<tab>why" per expectation that does not hold.
function core.lesson_check(lesson, m)
  local failures, seen, questions, predictions = {}, {}, 0, 0
  local page = 0
  local function fail(where, why)
    local line = ("%s\tpage %d: %s"):format(where, page, why)
    if not seen[line] then failures[#failures + 1] = line end
    seen[line] = true
  end
  for seed = 1, 3 do
    local run = new_run(lesson, m, seed)
    for i = 1, #lesson do
      page, run.at = i, lesson[i].where
      local ok, why = pcall(check_page, run, i, fail)
      if not ok then
        -- An error of the lesson's own code says its line; what the machine refuses is the item's.
        local file = run.at:match("^(.*):%d+$") or run.at
        if type(why) ~= "string" or why:sub(1, #file + 1) == file .. ":" then error(why, 0) end
        fail(run.at, (why:gsub("^[^\n:]*%.lua:%d+: ", "")))
        break
      end
    end
  end
  for _, p in ipairs(lesson) do
    questions = questions + tasks_of(p)
    for _, ask in ipairs(p) do predictions = predictions + (ask.kind == "predict" and 1 or 0) end
  end
  return ("%d %d %d\n%s"):format(#lesson, questions, predictions, table.concat(failures, "\n"))
end

-- A page of a pupil's answers: a list of lines. ok, reason.
local function grade_page(run, page, lines)
  local given, reasons, ok = 1, {}, true
  for _, ask in ipairs(page) do
    local text = lines[given]
    given = given + 1
    local good, why = false, "no answer"
    if text then good, why = judge(run, ask, text) end
    if not good then
      ok = false
      reasons[#reasons + 1] = (text and text .. ": " or "") .. why
      right_answer(run, ask) -- the pages that follow find the machine where they expect it
    end
  end
  if page.check then
    local mark = run.m:mark()
    for k = given, #lines do
      local done, why = pcall(core.pupil_line, lines[k])
      if not done then reasons[#reasons + 1] = lines[k] .. ": " .. tostring(why) end
    end
    local good, why = page.check(run.m, run.v)
    if not good then
      ok = false
      reasons[#reasons + 1] = #lines < given and "no answer" or tostring(why or "the check does not hold")
      run.m:restore(mark)
      act(run, page.auto)
    end
  end
  return ok, ok and "" or table.concat(reasons, "; ")
end

-- answers: "PAGE ANSWER" a line. "PERCENT", then a line "PAGE ok|wrong REASON" each.
function core.lesson_grade(lesson, m, answers)
  local seed = math.tointeger(tonumber(answers:match("^%s*seed%s+(%d+)") or answers:match("\nseed%s+(%d+)"))) or 1
  local by_page, number = {}, 0
  for line in (answers .. "\n"):gmatch("(.-)\r?\n") do
    number = number + 1
    local page, text = line:match("^%s*(%d+)%s+(.-)%s*$")
    if page then
      page = tonumber(page)
      if page < 1 or page > #lesson then error(("line %d: there is no page %d"):format(number, page), 0) end
      by_page[page] = by_page[page] or {}
      table.insert(by_page[page], text)
    elseif not line:find("^%s*$") and not line:find("^%s*#") and not line:find("^%s*seed%s+%d+%s*$") then
      error(("line %d: must be PAGE ANSWER"):format(number), 0)
    end
  end
  local run, lines, right, total = new_run(lesson, m, seed), {}, 0, 0
  for i, page in ipairs(lesson) do
    if i == 1 then run:enter(1) else run:leave(i) end
    if tasks_of(page) > 0 then
      local ok, reason = grade_page(run, page, by_page[i] or {})
      total, right = total + 1, right + (ok and 1 or 0)
      lines[#lines + 1] = ("%d %s%s"):format(i, ok and "ok" or "wrong", ok and "" or " " .. reason)
    end
  end
  local percent = total > 0 and right * 100 // total or 100
  return ("%d\n%s"):format(percent, table.concat(lines, "\n"))
end

-- ---- what the explorer calls ----

function core.lesson_info(lesson)
  if type(lesson) ~= "table" or not lesson.is_lesson then
    error("this is no lesson: a lesson file returns lesson { }", 0)
  end
  return ("%s\t%s\t%d\t%d\t%s"):format(lesson.id, lesson.title, lesson.minutes, #lesson,
    table.concat(lesson.needs, " "))
end

local current

function core.lesson_open(lesson, m, seed, progress)
  current = new_run(lesson, m, math.tointeger(tonumber(progress:match("seed (%d+)"))) or seed)
  resume(current, progress)
end

function core.lesson_do(verb, text)
  verbs[verb](current, text)
  return ""
end

function core.lesson_screen() return current:screen() end
function core.lesson_status() return current:status() end
function core.lesson_progress() return current:progress() end
