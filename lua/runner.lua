-- Takes a pupil through a lesson: one page at a time, its questions one after the other, then its
-- task. A page notes the machine as it is when first entered; entering it again restores that, so
-- that going back never rewinds Lua. pane.lua shows it; check.lua and grade.lua play the same pages
-- without a screen.
local core = ...
local answer = core.answer
local text_of, act = answer.text_of, answer.act

local Run = {}
Run.__index = Run
core.Run = Run

-- The same numbers for the same pupil on the same page.
local function pupil_random(seed, page)
  local x = (seed * 7919 + page * 104729 + 12345) & 0xffffffff
  return function(low, high)
    if low > high then error(("random: %s is above %s"):format(low, high), 2) end
    x = (x * 1664525 + 1013904223) & 0xffffffff
    return low + (x >> 16) % (high - low + 1)
  end
end

-- ---- pages ----

-- How many things a page wants: its questions, and its task.
function core.tasks_of(page) return #page + (page.check and 1 or 0) end

function Run:tasks_left()
  local page = self.lesson[self.page]
  for k = 1, core.tasks_of(page) do
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
  local sets = core.sets
  if page.init then page.init(run.m, run.v) end
  run.edits = core.sets > sets
end

local function wishes(page)
  if page.show then screen.show(page.show) end
  if page.zoom ~= nil then screen.zoom(page.zoom) end
  if page.cursor then screen.cursor(page.cursor) end
  for _, name in ipairs(page.highlight) do screen.highlight(name) end
end

function Run:enter(i)
  local page = self.lesson[i]
  core.at = page.where
  self.page, self.feedback, self.plots, self.finished = i, nil, {}, false
  self.reached = math.max(self.reached, i)
  core.plots = self.plots
  self.solved[i] = self.solved[i] or {}
  self.hints[i] = self.hints[i] or {}
  self.texts[i] = self.texts[i] or {}
  if self.marks[i] then self.m:restore(self.marks[i]) else self.marks[i] = self.m:mark() end
  core.wish("page")
  prepare(self, page)
  self.asked = self.m:mark()
  answer.kept_text(self, page.say)
  answer.kept_text(self, page.play)
  local left = self:tasks_left()
  for k = 1, left and left - 1 or 0 do -- to where the first question left begins
    if page[k] and page[k].kind == "predict" then answer.right(self, page[k]) end
  end
  wishes(page)
  if page.plot then page.plot(self.m, self.v) end
end

-- What was tried out is put back, and so are parameters of the machine that the page did not set
-- itself: the pages that follow speak of the lesson's machine.
function Run:leave(i)
  if self.lesson[self.page].play then
    self.m:restore(self.marks[self.page])
  elseif not core.same_setup(self.m, self.asked) then
    self.m:restore(self.asked)
  end
  self:enter(i)
end

local function skip_of(run) return run.lesson[run.page].skip or run.lesson.skip end

-- ---- what the pupil does: each returns nothing, and leaves feedback { role, text } ----

-- k: of which question of the page it is said, when that is solved now.
function Run:say(role, text, k) self.feedback = { role, text, k = k } end

function Run:solve_step(k, how, reason)
  self.solved[self.page][k] = how:gsub("%s+", " ")
  self.reasons[self.page] = self.reasons[self.page] or {}
  self.reasons[self.page][k] = reason ~= "" and reason or nil
end

local verbs = {}

function verbs.answer(run, text)
  local k, page = run:tasks_left(), run.lesson[run.page]
  local ask = k and page[k]
  if ask and (text == "?" or text == "hint") and not answer.choice_index(run, ask, text) then
    return verbs.hint(run)
  elseif not ask then
    return run:say("text", k and "this is done with the machine: then check" or "there is no question left here")
  end
  local ok, reason, unreadable, exact = answer.judge(run, ask, text)
  if ok then
    run:solve_step(k, exact or answer.text(run, ask, (answer.read(run, ask, text))), reason)
    run:say("right", exact and ("Right, rounded: it is exactly %s."):format(exact) or "Right.", k)
  elseif unreadable then
    run.refused = true
    run:say("text", text .. ": " .. reason)
  else
    run.refused = true
    local given = ask.kind == "choice" and answer.text(run, ask, (answer.read(run, ask, text))) or text
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
    run:say("right", "Done.", k)
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
    return run:say("text", "not solved yet: i gives a hint, G shows the answer and goes on")
  elseif run.page < #run.lesson then
    return run:leave(run.page + 1)
  end
  run.finished, run.done = true, true
  local right, all, at_once, hints = run:tally()
  run:say("right", all == 0 and "That was the last page." or
    ("That was the last page. Your score: %d of %d (%d %%), %d of them at the first try, %s."):format(
      right, all, run:score(), at_once, hints == 0 and "no hints" or hints == 1 and "1 hint" or hints .. " hints"))
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
    local shown = answer.text(run, page[k], answer.right(run, page[k]))
    run:solve_step(k, shown .. " (shown)", text_of(run, page[k].because))
    run:say("text", "The answer is " .. shown .. ".", k)
  else
    act(run, page.auto)
    run:solve_step(k, "done (shown)", text_of(run, page.because))
    run:say("text", "The machine has been taken there.", k)
  end
end

function verbs.again(run)
  run:enter(run.page)
  run:say("text", "The page begins again: the machine stands where it stood.")
end

-- ---- progress: what is written down, and how it is taken up again ----

function Run:progress()
  local lines = { "seed " .. self.seed, ("page %d of %d"):format(self.page, #self.lesson),
    "reached " .. self.reached, "pages " .. self.digests }
  if self.done then
    lines[#lines + 1] = "finished"
    lines[#lines + 1] = "score " .. self:score()
  end
  for i = 1, self.reached do
    for k = 1, core.tasks_of(self.lesson[i]) do
      local how = self.solved[i][k]
      if how then lines[#lines + 1] = ("solved %d %d %s"):format(i, k, how) end
    end
  end
  return table.concat(lines, "\n") .. "\n" .. self:account_lines()
end

-- What a hand-in says is solved gets its words from the machine.
local function adopt(run, k, ask, right)
  local solved = run.solved[run.page]
  if solved[k] ~= "=" then return end
  local entry = run.account[run.page][k]
  solved[k] = (ask and answer.text(run, ask, right) or "done") .. (entry.shown and " (shown)" or "")
end

-- Do what the page wants, or the first `count` things of it, by the author's own solutions, and read
-- what it says on the way.
local function solve_page(run, count)
  local page, reasons = run.lesson[run.page], {}
  for k, ask in ipairs(page) do
    if k > count then break end
    answer.prompt(run, ask)
    adopt(run, k, ask, answer.right(run, ask))
    reasons[k] = text_of(run, ask.because)
  end
  if page.check and count > #page then
    answer.kept_text(run, page.task)
    act(run, page.auto)
    adopt(run, #page + 1)
    reasons[#page + 1] = text_of(run, page.because)
  end
  for k, why in pairs(reasons) do reasons[k] = why ~= "" and why or nil end
  run.reasons[run.page] = reasons
end

function core.new_run(lesson, m, seed)
  core.at = lesson.where
  local run = setmetatable({ lesson = lesson, m = m, seed = seed, v = {}, marks = {}, solved = {},
    texts = {}, hints = {}, reasons = {}, plots = {}, reached = 1 }, Run)
  local with_model = lesson.setup and lesson.setup.model
  local setup = with_model and { tokens = 0 } or
    { preset = "deck", stimulus = "integration", tokens = 0 }
  for key, value in pairs(lesson.setup or {}) do setup[key] = value end
  m:configure(setup)
  return run
end

-- The number behind a word at the beginning of a line.
local function number_of(progress, word)
  return math.tointeger(tonumber(("\n" .. progress):match("\n" .. word .. " (%d+)")))
end

-- All pages that were reached are played again, so that each stands where it stood, the last of
-- them as far as it was solved. Who has finished begins again.
local function resume(run, progress)
  local page, last = number_of(progress, "page") or 1, #run.lesson
  local reached = number_of(progress, "reached") or page
  run.done = ("\n" .. progress):find("\nfinished\n") ~= nil
  if run.done and page >= last then page, reached, progress = 1, 1, "" end
  page = math.max(1, math.min(page, last))
  reached = math.max(page, math.min(reached, last))
  for i = 1, reached do
    local count = core.tasks_of(run.lesson[i])
    if i == 1 then run:enter(1) else run:leave(i) end
    for k = 1, count do
      local how = ("\n" .. progress):match(("\nsolved %d %d ([^\n]*)"):format(i, k))
      run.solved[i][k] = how
      if not how and i == reached then count = k - 1 break end
    end
    solve_page(run, count)
  end
  if page < reached then run:enter(page) end
end

-- ---- what the explorer calls ----

function core.lesson_info(lesson)
  if type(lesson) ~= "table" or not lesson.is_lesson then
    error("this is no lesson: a lesson file returns lesson { }", 0)
  end
  return ("%s\t%s\t%d\t%d\t%s\t%s"):format(lesson.id, lesson.title, lesson.minutes, #lesson,
    table.concat(lesson.needs, " "), (lesson.about or ""):gsub("%s+", " "))
end

-- The lines of its file where the pages begin.
function core.lesson_lines(lesson)
  local lines = {}
  for i, page in ipairs(lesson) do lines[i] = page.where:match(":(%d+)$") or "1" end
  return table.concat(lines, " ")
end

local current

-- digests: of the pages' texts as they are now, blanks between.
function core.lesson_open(lesson, m, seed, progress, digests)
  progress = core.fit_progress(lesson, progress, digests)
  current = core.new_run(lesson, m, number_of(progress, "seed") or seed)
  current.digests = digests
  core.read_account(current, progress)
  resume(current, progress)
end

-- "FILE:LINE" of what is being entered, for errors that have no place of their own.
function core.lesson_at() return core.at or "" end

function core.lesson_do(verb, text)
  current.refused = false -- an answer
  core.keep_account(current, verb, text, function() verbs[verb](current, text) end)
  return ""
end

-- How large the pane is; 0: nobody knows.
function core.lesson_screen(columns, rows)
  columns, rows = tonumber(columns), tonumber(rows)
  current.columns, current.rows = columns > 0 and columns or nil, rows > 0 and rows or nil
  return current:screen()
end
function core.lesson_status() return current:status() end
function core.lesson_said() return current:said() end

-- What was said last is not so any more.
function core.lesson_forget()
  current.feedback = nil
  return ""
end

function core.lesson_progress() return current:progress() end
function core.lesson_hand_in() return core.hand_in(current) end
