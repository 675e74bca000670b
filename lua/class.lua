-- A class: what a pupil did, question by question, as the lines of a hand-in; and what becomes of
-- them when a teacher grades. Answers are not believed, they are judged again by the machine with
-- the pupil's numbers. The format is described in lessons/README.md.
local core = ...
local answer, Run = core.answer, core.Run
local now = os.time

-- ---- keeping account ----

local PAUSE <const> = 600 -- seconds between two steps; more is a pause
local WRONG_MOST <const>, TEXT_MOST <const>, DID_MOST <const> = 50, 400, 2000

-- The account of question k of a page (the task comes behind the questions).
local function entry_of(run, page, k)
  run.account = run.account or {}
  run.account[page] = run.account[page] or {}
  local entry = run.account[page][k] or { tries = 0, hints = 0, seconds = 0, wrong = {}, did = {} }
  run.account[page][k] = entry
  return entry
end

-- The same, or nil: nothing was done there.
local function peek(run, page, k) return run.account and run.account[page] and run.account[page][k] end

local function is_closed(entry) return entry.answer or entry.done or entry.shown end

local function one_line(text) return (text:gsub("[%c\127]+", " "):sub(1, TEXT_MOST)) end

-- How the pupil brought the machine from where the question found it to where it stands.
local function moves(run)
  local lines = {}
  for line in core.did(run.m, run.asked):gmatch("[^\n]+") do
    if #lines == DID_MOST then break end
    lines[#lines + 1] = line
  end
  return lines
end

local function close(run, entry, ask, verb, text)
  if verb == "skip" then
    entry.shown = true
    return
  end
  entry.tries = entry.tries + 1
  if not ask or ask.kind ~= "predict" then entry.did = moves(run) end
  if ask then entry.answer = one_line(text) else entry.done = true end
end

-- Does what the pupil asks for, and notes what came of it. What was done first counts: a question
-- that is closed is not opened by taking the lesson again.
function core.keep_account(run, verb, text, act)
  local page, k = run.page, run:tasks_left()
  local entry, time = k and entry_of(run, page, k), now()
  local open = entry and not is_closed(entry)
  if open then entry.seconds = entry.seconds + math.max(0, math.min(time - (run.since or time), PAUSE)) end
  run.since = time
  act()
  if not open or run.page ~= page then return end
  local ask = run.lesson[page][k]
  entry.hints = math.max(entry.hints, run.hints[page][k] or 0)
  if run.solved[page][k] then
    close(run, entry, ask, verb, text)
  elseif (verb == "answer" or verb == "check") and run.feedback and run.feedback[1] == "wrong" then
    entry.tries = entry.tries + 1
    if ask and #entry.wrong < WRONG_MOST then entry.wrong[#entry.wrong + 1] = one_line(text) end
  end
end

-- Is a question open that wants an answer, right or wrong, before the machine moves?
function Run:wants_bet()
  local page, k = self.lesson[self.page], self:tasks_left()
  local ask = k and page[k]
  local commit = ask and (ask.commit == nil and page.commit or ask.commit)
  if not commit then return false end
  local entry = peek(self, self.page, k)
  return not entry or entry.tries == 0 and not is_closed(entry)
end

-- Questions that the pupil has answered, all of them, those at the first try, hints.
function Run:tally()
  local right, all, at_once, hints = 0, 0, 0, 0
  for i, page in ipairs(self.lesson) do
    for k = 1, core.tasks_of(page) do
      local entry = peek(self, i, k)
      all = all + 1
      if entry and (entry.answer or entry.done) then
        right = right + 1
        at_once = at_once + (entry.tries == 1 and 1 or 0)
      end
      hints = hints + (entry and entry.hints or 0)
    end
  end
  return right, all, at_once, hints
end

function Run:score()
  local right, all = self:tally()
  return core.percent(right, all)
end

-- ---- as lines ----

local function entry_lines(lines, name, entry)
  local function add(text) lines[#lines + 1] = name .. " " .. text end
  add(("tries %d hints %d seconds %d"):format(entry.tries, entry.hints, entry.seconds))
  for _, text in ipairs(entry.wrong) do add("wrong " .. text) end
  for _, text in ipairs(entry.did) do add("did " .. text) end
  if entry.answer then add("answer " .. entry.answer) end
  if entry.done then add("done") end
  if entry.shown then add("shown") end
end

function Run:account_lines()
  local lines = {}
  for i, page in ipairs(self.lesson) do
    for k = 1, core.tasks_of(page) do
      local entry = peek(self, i, k)
      if entry then entry_lines(lines, ("%d.%d"):format(i, k), entry) end
    end
  end
  return table.concat(lines, "\n") .. (lines[1] and "\n" or "")
end

-- "WORD REST" of a question's line into its entry; false for a line that is none.
local readers = {}
function readers.tries(entry, rest)
  local tries, hints, seconds = rest:match("^(%d+) hints (%d+) seconds (%d+)$")
  if not tries or #tries > 9 or #hints > 9 or #seconds > 9 then return false end
  entry.tries, entry.hints, entry.seconds = math.tointeger(tries), math.tointeger(hints), math.tointeger(seconds)
end
function readers.wrong(entry, rest) entry.wrong[#entry.wrong + 1] = rest end
function readers.did(entry, rest, where) entry.did[#entry.did + 1], entry.where = rest, entry.where or where end
function readers.answer(entry, rest)
  if rest == "" then return false, "an answer is missing" end
  if entry.answer then return false, "has a second answer" end
  entry.answer = rest
end
function readers.done(entry, rest) if rest ~= "" then return false end entry.done = true end
function readers.shown(entry, rest) if rest ~= "" then return false end entry.shown = true end

-- Takes a line into the account. True if it was one of a question; else why not.
local function read_line(run, line, number)
  local page, k, word, rest = line:match("^(%d+)%.(%d+) (%a+) ?(.*)$")
  if not page then return false, "must be PAGE.QUESTION and tries, wrong, did, answer, done or shown" end
  local at, n = math.tointeger(tonumber(page)), math.tointeger(tonumber(k))
  if not run.lesson[at] or not n or n < 1 or n > core.tasks_of(run.lesson[at]) then
    return false, ("there is no question %s.%s"):format(page, k)
  end
  local entry = entry_of(run, at, n)
  local read, why
  if readers[word] then read, why = readers[word](entry, rest, number) else read = false end
  if read ~= false then return true end
  entry.bad = number
  return false, ("%s.%s: %s"):format(page, k, why or "must be tries N hints N seconds N, wrong, did, answer, done or shown")
end

core.read_line, core.is_closed = read_line, is_closed

-- Of a pupil's progress: what does not fit any more is passed over.
function core.read_account(run, progress)
  for line in progress:gmatch("[^\n]+") do
    if line:find("^%d+%.%d+ ") then read_line(run, line, 0) end
  end
end

-- ---- a hand-in ----

function core.hand_in(run)
  local seconds, lines = 0, {}
  for _, page in pairs(run.account or {}) do
    for _, entry in pairs(page) do seconds = seconds + entry.seconds end
  end
  lines[1] = "lesson " .. run.lesson.id
  lines[2] = "seed " .. run.seed
  lines[3] = "seconds " .. seconds
  lines[4] = ("reached page %d of %d"):format(run.reached, #run.lesson)
  return table.concat(lines, "\n") .. "\n" .. run:account_lines()
end

-- The answers of a file as `--answers` takes it, as a hand-in; "refused WHY" if it is none.
function core.lesson_answers(lesson, m, name, answers)
  local read, why = core.read_answers(lesson, name, answers)
  if not read then return "refused " .. why end
  local run = core.new_run(lesson, m, read.seed)
  run.reached = #lesson
  for i, page in ipairs(lesson) do
    local given = read.pages[i]
    for k, line in pairs(given.asks) do
      local entry = entry_of(run, i, k)
      entry.tries, entry.answer = 1, one_line(line.text)
    end
    if page.check and #given.task > 0 then
      local entry = entry_of(run, i, #page + 1)
      entry.tries, entry.done = 1, true
      for n, line in ipairs(given.task) do entry.did[n] = one_line(line.text) end
    end
  end
  return core.hand_in(run)
end

-- ---- grading ----

-- result, reason. The machine is where the question found it, and is left there unless it was right
-- about what comes.
local function judge_ask(run, ask, entry, file)
  local asked = run.asked
  run.m:restore(asked)
  if #entry.did > 0 then
    local ok, why = core.run_lines(entry.did, file, entry.where)
    if not ok then return "wrong", why end
  end
  local ok, reason = answer.judge(run, ask, entry.answer)
  if not ok or ask.kind ~= "predict" then
    run.asked = asked
    run.m:restore(asked)
  end
  return ok and "right" or "wrong", not ok and ("%s: %s"):format(entry.answer, reason) or ""
end

local function judge_task(run, page, entry, file)
  run.m:restore(run.asked)
  local ok, why = core.run_lines(entry.did, file, entry.where)
  if ok then ok, why = page.check(run.m, run.v) end
  return ok and "right" or "wrong", not ok and tostring(why or "the check does not hold") or ""
end

-- As far as it has been handed in.
local function judge_entry(run, page, k, file)
  local entry, ask = peek(run, run.page, k), page[k]
  if not entry then return "none", "" end
  if entry.bad then return "wrong", "line " .. entry.bad .. " is bad" end
  if entry.shown then return "shown", "" end
  if ask and entry.answer then return judge_ask(run, ask, entry, file) end
  if not ask and entry.done then return judge_task(run, page, entry, file) end
  return "none", ""
end

-- What is not right is done by the author's solution: the pages that follow speak of what comes then.
local function go_on(run, page, k, result)
  local ask = page[k]
  if ask and (result ~= "right" and ask.kind == "predict") then
    answer.right(run, ask)
  elseif not ask and result ~= "right" then
    run.m:restore(run.asked)
    answer.act(run, page.auto)
  end
end

-- The lines of a hand-in into a run's account; bad(line, why) is told of those that are none.
local function read_hand_in(run, text, bad)
  local number, head = 0, { name = "", date = "" }
  for line in (text .. "\n"):gmatch("(.-)\r?\n") do
    number = number + 1
    local word, rest = line:match("^(%a+) ?(.*)$")
    if word == "tokstep" and number > 1 then
      bad(number, "another hand-in begins here: each has a file of its own")
      break
    end
    if word == "seed" then
      local seed, why = core.read_seed(one_line(rest))
      head.seed = seed or head.seed
      if not seed then bad(number, why .. "; graded with 1") end
    elseif word == "name" or word == "date" then
      head[word] = one_line(rest)
    elseif word ~= "tokstep" and word ~= "lesson" and word ~= "seconds" and word ~= "reached" and word ~= "sum"
      and not line:find("^%s*$") and not line:find("^%s*#") then
      local ok, why = read_line(run, line, number)
      if not ok then bad(number, why) end
    end
  end
  return head
end

local function field(text) return (tostring(text):gsub("[%c\127]", " ")) end

-- A hand-in graded: "head NAME SEED DATE PERCENT HINTS SECONDS RIGHT ALL", "bad LINE WHY" for each
-- line that is none, "ask PAGE QUESTION RESULT TRIES HINTS SECONDS ANSWER REASON" for each question;
-- tabs between.
function core.lesson_mark(lesson, m, file, text)
  local lines, run = {}, core.new_run(lesson, m, 1)
  local head = read_hand_in(run, text, function(number, why) lines[#lines + 1] = ("bad\t%d\t%s"):format(number, field(why)) end)
  run.seed = head.seed or 1
  local right, all, hints, seconds = 0, 0, 0, 0
  for i, page in ipairs(lesson) do
    if i == 1 then run:enter(1) else run:leave(i) end
    for k = 1, core.tasks_of(page) do
      local entry = peek(run, i, k) or { tries = 0, hints = 0, seconds = 0 }
      local result, reason = judge_entry(run, page, k, file)
      go_on(run, page, k, result)
      run.solved[i][k] = "graded"
      right, all = right + (result == "right" and 1 or 0), all + 1
      hints, seconds = hints + entry.hints, seconds + entry.seconds
      lines[#lines + 1] = ("ask\t%d\t%d\t%s\t%d\t%d\t%d\t%s\t%s"):format(i, k, result, entry.tries, entry.hints,
        entry.seconds, field(entry.answer or ""), field(reason))
    end
  end
  table.insert(lines, 1, ("head\t%s\t%d\t%s\t%d\t%d\t%d\t%d\t%d"):format(head.name, run.seed, head.date,
    core.percent(right, all), hints, seconds, right, all))
  return table.concat(lines, "\n")
end
