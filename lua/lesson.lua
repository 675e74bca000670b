-- The words a lesson is written in: lesson { page { ask { } } }. They only check and keep what
-- the author said; runner.lua takes the pupil through it.
local core = ...

local lesson_keys = {
  id = "string", title = "string", minutes = "number", needs = "table", skip = "string",
  setup = "table", about = "string",
}
local page_keys = {
  say = "text", show = "string", set = "table", cursor = "string", highlight = "list",
  zoom = "boolean", init = "function", plot = "function", play = "text", task = "text",
  check = "function", auto = "action", hint = "texts", because = "text", skip = "string",
  claim = "function", hide = "list", commit = "boolean",
}
local ask_keys = {
  number = "text", choice = "text", predict = "text", text = "text", options = "table",
  answer = "any", format = "string", tolerance = "number", after = "action", wrong = "any",
  mistake = "function", hint = "texts", because = "text", claim = "function", commit = "boolean",
}
local formats = { hex = true, word = true, decimal = true, int = true, value = true, state = true, letter = true }
local skips = { locked = true, free = true }
local secrets = { wrap = true, done = true, deck = true }

local function fits(kind, value)
  local is = type(value)
  if kind == "any" then return true end
  if kind == "text" then return is == "string" or is == "function" end
  if kind == "action" then return is == "string" or is == "function" or is == "table" end
  if kind == "texts" then return is == "string" or is == "table" or is == "function" end
  if kind == "list" then return is == "string" or is == "table" end
  return is == kind
end

-- Every named field is known and of its type; the list part is the caller's.
local function check_keys(what, t, keys)
  if type(t) ~= "table" then error(what .. ": needs a table", 3) end
  for key, value in pairs(t) do
    if type(key) == "string" then
      if not keys[key] then error(("%s: no such field: %s"):format(what, key), 3) end
      if not fits(keys[key], value) then
        error(("%s: %s cannot be a %s"):format(what, key, type(value)), 3)
      end
    end
  end
  if t.skip and not skips[t.skip] then error(what .. ': skip is "locked" or "free"', 3) end
end

-- A list of texts, each a string, a number or a function.
local function check_texts(what, list)
  for i, text in ipairs(type(list) == "table" and list or {}) do
    if type(text) == "table" or type(text) == "boolean" then
      error(("%s: its text %d cannot be a %s"):format(what, i, type(text)), 3)
    end
  end
end

local function as_list(x) return type(x) == "table" and x or { x } end

function ask(t)
  check_keys("ask", t, ask_keys)
  check_texts("ask: hint", t.hint)
  check_texts("ask: options", t.options)
  t.kind = t.number and "number" or t.choice and "choice" or t.predict and "predict"
  if not t.kind then error("ask: needs number, choice or predict", 2) end
  if t.format and not formats[t.format] then
    error("ask: format is hex, word, int, value, decimal, state or letter", 2)
  end
  if t.kind == "choice" and not (t.options and #t.options >= 2) then
    error("ask: a choice needs two options at least", 2)
  end
  if t.kind ~= "predict" and t.answer == nil then error("ask: needs an answer", 2) end
  if type(t.predict) == "function" then
    if not t.text then error("ask: a prediction of a function needs `text`, the question", 2) end
  elseif t.predict and not t.after then
    error("ask: a prediction needs `after`: what leads to the moment it speaks of", 2)
  end
  t.where, t.hint, t.is_ask = core.where(1), as_list(t.hint or {}), true
  return t
end

function page(t)
  check_keys("page", t, page_keys)
  check_texts("page: hint", t.hint)
  if t.set and t.set.file and type(t.set.file) ~= "table" then
    error('page: file is { "NAME", shape = { N, K } }', 2)
  end
  for _, item in ipairs(t) do
    if type(item) ~= "table" or not item.is_ask then error("page: holds only ask { }", 2) end
  end
  t.hide = as_list(t.hide)
  for _, secret in ipairs(t.hide) do
    if not secrets[secret] then error('page: hide is "wrap", "done" or "deck", or a list of them', 2) end
  end
  local there, why = core.has_view(t.show or "decoder")
  if not there then error("page: show: " .. why, 2) end
  if t.task and not t.check then error("page: a task needs a check", 2) end
  if t.check and not t.auto then error("page: a check needs `auto`, its solution", 2) end
  if not (t.say or t.play or t.check or #t > 0) then error("page: says nothing", 2) end
  t.where, t.hint, t.highlight, t.is_page = core.where(1), as_list(t.hint or {}), as_list(t.highlight), true
  return t
end

lesson = core.in_c(function(t)
  check_keys("lesson", t, lesson_keys)
  if not t.id or not t.id:find("^[%w-]+$") then error("lesson: needs an id of letters, digits, -", 2) end
  if not t.title or t.title:find("%c") then error("lesson: needs a title, one line", 2) end
  local minutes = math.tointeger(t.minutes or 1)
  if not minutes or minutes < 1 or minutes > 999 then error("lesson: minutes is a whole number from 1 to 999", 2) end
  for _, id in ipairs(t.needs or {}) do
    if type(id) ~= "string" or not id:find("^[%w-]+$") then error("lesson: needs is a list of ids", 2) end
  end
  if #t == 0 then error("lesson: has no pages", 2) end
  for _, item in ipairs(t) do
    if type(item) ~= "table" or not item.is_page then error("lesson: holds only page { }", 2) end
  end
  t.where, t.needs, t.minutes = core.where(1), t.needs or {}, t.minutes or 10
  t.skip, t.is_lesson = t.skip or "free", true
  return t
end)
