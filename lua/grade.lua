-- `lesson --answers`: a pupil's answers from a file, graded without a screen. The lines of a task
-- are run as a console would, and may be anything: they get an environment of their own, so that
-- nothing the lesson judges with can be exchanged, and a budget of their own.
local core = ...
local answer = core.answer
local load = load

-- Everything a script has, in copies: what is assigned to a library stays with the pupil.
local function environment()
  local env = {}
  for name, value in pairs(_G) do
    if type(value) == "table" and value ~= _G then
      local copy = {}
      for key, item in pairs(value) do copy[key] = item end
      value = copy
    end
    env[name] = value
  end
  env._G, env.page, env.ask, env.lesson = env, nil, nil, nil
  function env.load(text, name, mode, ...)
    if select("#", ...) == 0 then return load(text, name, mode, env) end
    return load(text, name, mode, ...)
  end
  return env
end

-- The lines from k on that are one chunk of Lua: a chunk may need several. Its text, its last line.
local function chunk_at(lines, k)
  local text = lines[k].text
  if core.is_pupil_command(text) then return text, k end
  for last = k, #lines do
    if last > k then text = text .. "\n" .. lines[last].text end
    local chunk, why = load(text, "=(line)", "t", {})
    if chunk and last > k then return text, last end
    if chunk or not why:find("<eof>", 1, true) then break end
  end
  return lines[k].text, k
end

-- A page's answers that are console commands or Lua. False when one of them ran away, with which
-- it ends. Reasons of those that fail are added, each with its place in the file.
local function run_lines(lines, reasons)
  local env, k = environment(), 1
  while k <= #lines do
    local text, last = chunk_at(lines, k)
    local ok, why, ran_away = core.limited(core.pupil_line, text, env)
    if not ok then
      why = why:gsub("^%(line%):%d+: ", "")
      reasons[#reasons + 1] = ("%s: %s: %s"):format(lines[k].where, text:gsub("%s+", " "), why)
    end
    if ran_away then return false end
    k = last + 1
  end
  return true
end

-- Lines of a hand-in, the first of them line `first` of the file: true, or false and why.
function core.run_lines(texts, file, first)
  local lines, reasons = {}, {}
  for i, text in ipairs(texts) do lines[i] = { text = text, where = ("%s:%d"):format(file, (first or 1) + i - 1) } end
  local ok = run_lines(lines, reasons)
  return ok, table.concat(reasons, "; ")
end

-- The first words of a text, on one line.
local function first_words(text)
  text = text:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")
  if #text <= 40 then return text end
  return (text:sub(1, 41):gsub("%s%S*$", "")) .. " ..."
end

-- Which of several things on the page it was.
local function named(run, page, k)
  if core.tasks_of(page) == 1 then return "" end
  if not page[k] then return " (the task)" end
  return (" (question %d: %s)"):format(k, first_words(answer.prompt(run, page[k])))
end

-- A question of a page, with what was given to it (nil: nothing): right?
local function grade_ask(run, page, k, line, reasons)
  local text, ok, why = line and line.text, false, "no answer"
  if text then ok, why = answer.judge(run, page[k], text) end
  if ok then return true end
  reasons[#reasons + 1] = (text and text .. ": " or "") .. why .. named(run, page, k)
  answer.right(run, page[k]) -- the pages that follow find the machine where they expect it
end

local function grade_task(run, page, lines, reasons)
  local mark = run.m:mark()
  local ok, why = run_lines(lines, reasons), nil
  if ok then
    ok, why = page.check(run.m, run.v)
    why = (#lines == 0 and "no answer" or tostring(why or "the check does not hold")) .. named(run, page, #page + 1)
  end
  if ok then return true end
  reasons[#reasons + 1] = why
  run.m:restore(mark)
  answer.act(run, page.auto)
end

-- given: as read_answers leaves it. How many of its questions are right, and why the others are not.
local function grade_page(run, page, given)
  local right, reasons = 0, {}
  for k in ipairs(page) do
    if grade_ask(run, page, k, given.asks[k], reasons) then right = right + 1 end
  end
  if page.check and grade_task(run, page, given.task, reasons) then right = right + 1 end
  return right, table.concat(reasons, "; ")
end

-- In percent, to the nearest; 100 is all of them.
function core.percent(right, all)
  if right >= all then return 100 end
  return math.min((right * 200 + all) // (2 * all), 99)
end

-- A seed as it is written: the generator has 32 bits, a larger one would be another.
local SEED_MOST <const> = 0xffffffff

-- The number; or nil and why it is none.
function core.read_seed(text)
  local seed = math.tointeger(tonumber(text:match("^%d+$") or "")) -- nil from 2^63 on
  if seed and seed <= SEED_MOST then return seed end
  return nil, ("seed%s: must be 0..%d"):format(text == "" and "" or " " .. text, SEED_MOST)
end

-- What is given to one page: { asks = { [k] = LINE }, task = { LINE, ... } }, a LINE being { text =,
-- where = }; those that do not say which question they answer go to the next one.
local function give(page, given, k, line)
  if not k then
    k = 1
    while given.asks[k] do k = k + 1 end
  elseif k < 1 or k > core.tasks_of(page) then
    return "there is no such question"
  elseif given.asks[k] then
    return "a second answer; the first one counts"
  end
  if page[k] then given.asks[k] = line else given.task[#given.task + 1] = line end
end

-- A line's page, question (nil: the next one), and answer: `2 f7`, `2: f7`, `2.1 f7`.
local function parts_of(line)
  local page, k, text = line:match("^%s*(%d+)%.(%d+)[:)]?%s+(%S.-)%s*$")
  if page then return page, k, text end
  page, text = line:match("^%s*(%d+)[:)]?%s+(%S.-)%s*$")
  return page, nil, text
end

-- One line of answers into what has been read; why it cannot be, if so.
local function read_answer_line(lesson, read, line, where)
  local page, k, text = parts_of(line)
  local own = line:match("^%s*seed%f[%W]%s*(.-)%s*$")
  if page then
    local at = math.tointeger(tonumber(page)) -- nil from 2^63 on
    if not lesson[at] then return "there is no page " .. page end
    local why = give(lesson[at], read.pages[at], k and (math.tointeger(tonumber(k)) or 0), { text = text, where = where })
    read.some = read.some or not why
    return why and ("%s.%s: %s"):format(page, k, why)
  elseif own then
    local seed, why = core.read_seed(own)
    if seed and read.seed then return ("seed %s: there is one already; seed %d counts"):format(own, read.seed) end
    read.seed = read.seed or seed
    return why
  end
  if not line:find("^%s*$") and not line:find("^%s*#") then return "must be PAGE ANSWER or PAGE.QUESTION ANSWER" end
end

-- The answers of a file: { pages =, seed =, bad = { { LINE, WHY }, ... } }; or nil and what is wrong
-- with a file none of whose lines is one.
local function read_answers(lesson, name, answers)
  local read, number = { pages = {}, bad = {} }, 0
  for i in ipairs(lesson) do read.pages[i] = { asks = {}, task = {} } end
  for line in (answers .. "\n"):gmatch("(.-)\r?\n") do
    number = number + 1
    local why = read_answer_line(lesson, read, line, ("%s:%d"):format(name, number))
    if why then read.bad[#read.bad + 1] = { number, why } end
  end
  local first = read.bad[1]
  if first and not read.some then return nil, ("%s: line %d: %s"):format(name, first[1], first[2]) end
  if not read.seed then
    for _, bad in ipairs(read.bad) do
      if bad[2]:find("^seed") then bad[2] = bad[2] .. "; graded with 1" end
    end
  end
  read.seed = read.seed or 1
  return read
end

core.read_answers = read_answers

-- answers: those of the file `name`. "PERCENT RIGHT ALL", counted by question, then a line "bad LINE
-- WHY" for each that is none, tabs between, and "PAGE ok|wrong REASON" for each page; or "refused WHY"
-- when that is no file of answers.
function core.lesson_grade(lesson, m, name, answers)
  local read, why = read_answers(lesson, name, answers)
  if not read then return "refused " .. why end
  local run, lines, right, all = core.new_run(lesson, m, read.seed), {}, 0, 0
  for _, bad in ipairs(read.bad) do lines[#lines + 1] = ("bad\t%d\t%s"):format(bad[1], (bad[2]:gsub("%c", " "))) end
  for i, page in ipairs(lesson) do
    if i == 1 then run:enter(1) else run:leave(i) end
    local wanted = core.tasks_of(page)
    if wanted > 0 then
      local good, reason = grade_page(run, page, read.pages[i])
      all, right = all + wanted, right + good
      lines[#lines + 1] = ("%d %s%s"):format(i, good == wanted and "ok" or "wrong", good == wanted and "" or " " .. reason)
    end
  end
  return ("%d %d %d\n%s"):format(core.percent(right, all), right, all, table.concat(lines, "\n"))
end
