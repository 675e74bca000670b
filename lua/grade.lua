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

-- A page's answers that are console commands or Lua. False when one of them ran away, with which
-- it ends. Reasons of those that fail are added, each with its place in the file.
local function run_lines(lines, first, reasons)
  local env = environment()
  for k = first, #lines do
    local ok, why, ran_away = core.limited(core.pupil_line, lines[k].text, env)
    if not ok then
      why = why:gsub("^%(line%):1: ", "")
      reasons[#reasons + 1] = ("%s: %s: %s"):format(lines[k].where, lines[k].text, why)
    end
    if ran_away then return false end
  end
  return true
end

-- Lines of a hand-in, the first of them line `first` of the file: true, or false and why.
function core.run_lines(texts, file, first)
  local lines, reasons = {}, {}
  for i, text in ipairs(texts) do lines[i] = { text = text, where = ("%s:%d"):format(file, (first or 1) + i - 1) } end
  local ok = run_lines(lines, 1, reasons)
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

-- A page's answers: a list of { text =, where = }. ok, reason.
local function grade_page(run, page, lines)
  local given, reasons, ok = 1, {}, true
  for k, ask in ipairs(page) do
    local text, name = lines[given] and lines[given].text, named(run, page, k)
    given = given + 1
    local good, why = false, "no answer"
    if text then good, why = answer.judge(run, ask, text) end
    if not good then
      ok = false
      reasons[#reasons + 1] = (text and text .. ": " or "") .. why .. name
      answer.right(run, ask) -- the pages that follow find the machine where they expect it
    end
  end
  if page.check then
    local mark = run.m:mark()
    local good, why = run_lines(lines, given, reasons), nil
    if good then
      good, why = page.check(run.m, run.v)
      why = (#lines < given and "no answer" or tostring(why or "the check does not hold")) .. named(run, page, #page + 1)
    end
    if not good then
      ok = false
      reasons[#reasons + 1] = why
      run.m:restore(mark)
      answer.act(run, page.auto)
    end
  end
  return ok, ok and "" or table.concat(reasons, "; ")
end

-- A seed as it is written: the generator has 32 bits, a larger one would be another.
local SEED_MOST <const> = 0xffffffff

-- The number; or nil and why it is none.
function core.read_seed(text)
  local seed = math.tointeger(tonumber(text:match("^%d+$") or "")) -- nil from 2^63 on
  if seed and seed <= SEED_MOST then return seed end
  return nil, ("seed %s: must be 0..%d"):format(text, SEED_MOST)
end

-- The answers by their pages, and the pupil's seed; or nil and what is wrong with the file.
local function read_answers(lesson, name, answers)
  local by_page, number, seed = {}, 0, nil
  for line in (answers .. "\n"):gmatch("(.-)\r?\n") do
    number = number + 1
    local page, text = line:match("^%s*(%d+)%s+(.-)%s*$")
    local own = line:match("^%s*seed%s+(%d+)%s*$")
    local why
    if page then
      local at = math.tointeger(tonumber(page)) -- nil from 2^63 on
      if lesson[at] then
        by_page[at] = by_page[at] or {}
        table.insert(by_page[at], { text = text, where = ("%s:%d"):format(name, number) })
      else
        why = "there is no page " .. page
      end
    elseif own then
      local given
      given, why = core.read_seed(own)
      seed = seed or given
    elseif not line:find("^%s*$") and not line:find("^%s*#") then
      why = "must be PAGE ANSWER"
    end
    if why then return nil, ("%s: line %d: %s"):format(name, number, why) end
  end
  return by_page, seed or 1
end

core.read_answers = read_answers

-- answers: "PAGE ANSWER" a line, of the file `name`. "PERCENT", then a line "PAGE ok|wrong REASON"
-- each; or "refused WHY" when that is no file of answers.
function core.lesson_grade(lesson, m, name, answers)
  local by_page, seed = read_answers(lesson, name, answers)
  if not by_page then return "refused " .. seed end
  local run, lines, right, total = core.new_run(lesson, m, seed), {}, 0, 0
  for i, page in ipairs(lesson) do
    if i == 1 then run:enter(1) else run:leave(i) end
    if core.tasks_of(page) > 0 then
      local ok, reason = grade_page(run, page, by_page[i] or {})
      total, right = total + 1, right + (ok and 1 or 0)
      lines[#lines + 1] = ("%d %s%s"):format(i, ok and "ok" or "wrong", ok and "" or " " .. reason)
    end
  end
  local percent = total > 0 and right * 100 // total or 100
  return ("%d\n%s"):format(percent, table.concat(lines, "\n"))
end
