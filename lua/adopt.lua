-- What a pupil has done elsewhere, as a hand-in tells it, joined with this account's own progress:
-- no question that is closed in either of them is lost.
local core = ...

local function number_after(text, words)
  return math.tointeger(tonumber(("\n" .. text):match("\n" .. words .. " (%d+)")))
end

-- A hand-in's lines into a run's account; nil, or why one of them cannot be read.
local function read_handed(run, text)
  local number = 0
  for line in text:gmatch("(.-)\r?\n") do
    number = number + 1
    if line:find("^%d+%.%d+ ") then
      local ok, why = core.read_line(run, line, number)
      if not ok then return ("line %d: %s"):format(number, why) end
    end
  end
end

-- Of two accounts of one question that which says more.
local function fuller(own, handed)
  if not own or not handed then return own or handed end
  local a, b = core.is_closed(own) and 1 or 0, core.is_closed(handed) and 1 or 0
  if a ~= b then return a > b and own or handed end
  return a == 0 and handed.tries + handed.hints > own.tries + own.hints and handed or own
end

-- Where the pupil goes on: a finished lesson that has begun again stays where it is.
local function position(own, handed, pages)
  local reached = number_after(own, "reached") or 1
  local there = number_after(handed, "reached page") or 1
  if there <= reached or ("\n" .. own):find("\nfinished\n") then
    return number_after(own, "page") or 1, reached
  end
  there = math.min(there, pages)
  return there, there
end

-- The progress that holds both: own may be empty. "refused WHY" when the hand-in cannot be read.
function core.lesson_adopt(lesson, _, own, handed)
  local run = setmetatable({ lesson = lesson }, core.Run)
  local other = setmetatable({ lesson = lesson }, core.Run)
  core.read_account(run, own)
  local why = read_handed(other, handed)
  if why then return "refused " .. why end
  local lines = { "seed " .. number_after(handed, "seed") }
  local page, reached = position(own, handed, #lesson)
  lines[2] = ("page %d of %d"):format(page, #lesson)
  lines[3] = "reached " .. reached
  for line in own:gmatch("[^\n]+") do
    if line:find("^finished$") or line:find("^score ") or line:find("^pages ") or line:find("^solved ") then lines[#lines + 1] = line end
  end
  run.account = run.account or {}
  for i = 1, #lesson do
    local mine, theirs = run.account[i] or {}, other.account and other.account[i] or {}
    run.account[i] = mine
    for k = 1, core.tasks_of(lesson[i]) do
      if theirs[k] and core.is_closed(theirs[k]) and not (mine[k] and core.is_closed(mine[k])) then
        lines[#lines + 1] = ("solved %d %d ="):format(i, k) -- the machine says what
      end
      mine[k] = fuller(mine[k], theirs[k])
    end
  end
  return table.concat(lines, "\n") .. "\n" .. run:account_lines()
end

-- Does a hand-in close questions that these lines of another do not? "" or the first of them.
function core.lesson_loses(lesson, _, old, new)
  local before, after = { lesson = lesson }, { lesson = lesson }
  core.read_account(before, old:gsub("\r", ""))
  core.read_account(after, new)
  for i = 1, #lesson do
    for k = 1, core.tasks_of(lesson[i]) do
      local was = before.account and before.account[i] and before.account[i][k]
      local is = after.account and after.account[i] and after.account[i][k]
      if was and core.is_closed(was) and not (is and core.is_closed(is)) then return ("%d.%d"):format(i, k) end
    end
  end
  return ""
end
