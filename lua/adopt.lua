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
function core.lesson_adopt(lesson, _, own, handed, digests)
  own = core.fit_progress(lesson, own, digests)
  local run = setmetatable({ lesson = lesson }, core.Run)
  local other = setmetatable({ lesson = lesson }, core.Run)
  core.read_account(run, own)
  local why = read_handed(other, handed)
  if why then return "refused " .. why end
  local lines = { "seed " .. number_after(handed, "seed") }
  local page, reached = position(own, handed, #lesson)
  lines[2] = ("page %d of %d"):format(page, #lesson)
  lines[3] = "reached " .. reached
  lines[4] = "pages " .. digests
  for line in own:gmatch("[^\n]+") do
    if line:find("^finished$") or line:find("^score ") or line:find("^solved ") then lines[#lines + 1] = line end
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

-- ---- a lesson that has been changed since ----

-- Old page -> new one, by their digests: what is the same has at most moved.
local function same_pages(old, new)
  local at, map = {}, {}
  for i = #new, 1, -1 do at[new[i]] = { i, at[new[i]] } end
  for i, digest in ipairs(old) do
    local found = at[digest]
    if found then map[i], at[digest] = found[1], found[2] end
  end
  return map
end

local function words_of(text)
  local words = {}
  for word in text:gmatch("%S+") do words[#words + 1] = word end
  return words
end

-- What speaks of a page, with its new number; nil of one that is another now.
local function moved_line(line, map)
  local before, page, after = line:match("^(solved )(%d+)( .*)$")
  if not page then before, page, after = line:match("^()(%d+)(%.%d+ .*)$") end
  if not page then return line end
  local now = map[math.tointeger(tonumber(page)) or 0]
  return now and (type(before) == "string" and before or "") .. now .. after
end

-- The first page up to `page` that wants something and is new: there the pupil goes on.
local function first_new(lesson, map, page)
  local known = {}
  for _, now in pairs(map) do known[now] = true end
  local all = true
  for i = #lesson, 1, -1 do
    if core.tasks_of(lesson[i]) > 0 and not known[i] then
      all = false
      page = math.min(page, i)
    end
  end
  return page, all
end

-- Progress as it fits the pages that there are now: one that has changed is not done.
function core.fit_progress(lesson, progress, digests)
  local old = ("\n" .. progress):match("\npages ([^\n]*)")
  if not old or old == digests then return progress end
  local map = same_pages(words_of(old), words_of(digests))
  local page, reached = number_after(progress, "page") or 1, number_after(progress, "reached") or 1
  local now = map[page] or math.min(page, #lesson)
  local all
  now, all = first_new(lesson, map, now)
  local furthest = now
  for was, is in pairs(map) do
    if was <= reached then furthest = math.max(furthest, is) end
  end
  local lines = {}
  for line in progress:gmatch("[^\n]+") do
    local finished = line:find("^finished$") or line:find("^score ")
    if line:find("^page ") then line = ("page %d of %d"):format(now, #lesson) end
    if line:find("^pages ") then line = "pages " .. digests end
    if line:find("^reached ") then line = "reached " .. furthest end
    if not finished or all then lines[#lines + 1] = moved_line(line, map) end
  end
  return table.concat(lines, "\n") .. "\n"
end
