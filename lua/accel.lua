-- Machines: `m.out_emb[0]`, `m.softmax.exp[37]`, `m:step(10)`. Everything that changes a machine is
-- a command of the console, so a script says nothing that could not be typed.
local core = ...

local methods = {}

-- ---- signals as fields ----

local proxy_path = setmetatable({}, { __mode = "k" }) -- proxy -> { machine, path }

local proxy = {}

local function read(m, path)
  local what = core.is_signal(m, path)
  if what == "prefix" then
    local p = setmetatable({}, proxy)
    proxy_path[p] = { m, path }
    return p
  elseif what == "signal" then
    if #core.info(m, path).dims == 0 then return core.get(m, path) end
    local p = setmetatable({}, proxy)
    proxy_path[p] = { m, path, core.info(m, path).dims }
    return p
  end
end

function proxy.__index(p, key)
  local m, path, dims = table.unpack(proxy_path[p])
  if math.type(key) == "integer" then
    if not dims or #dims == 0 then error(path .. " has no elements", 2) end
    local element = ("%s[%d]"):format(path, key)
    if #dims == 1 then return core.get(m, element) end
    local row = setmetatable({}, proxy)
    proxy_path[row] = { m, element, { table.unpack(dims, 2) } }
    return row
  end
  local value = not dims and read(m, path .. "." .. tostring(key))
  if value == nil or value == false then
    local name = ("%s.%s"):format(path, tostring(key))
    error(("%s: no such signal; %s`signals` in the console lists them"):format(name, core.hint(m, name)), 2)
  end
  return value
end

function proxy.__newindex(p, key, value)
  local m, path, dims = table.unpack(proxy_path[p])
  local name = dims and ("%s[%s]"):format(path, key) or ("%s.%s"):format(path, key)
  m:set(name, value)
end

function proxy.__len(p)
  local dims = proxy_path[p][3]
  return dims and dims[1] or 0
end

function proxy.__tostring(p) return proxy_path[p][2] end

proxy.__metatable = "signal"

-- ---- machines ----

local properties = {
  state = function(m) return core.get(m, "top.state") end,
  cycle = core.cycle,
  token = core.token,
  config = core.config,
  counts = core.counts,
  letters = core.letters,
  guesses = core.guesses,
}

core.machine_index(function(m, key)
  local method = methods[key]
  if method then return method end
  if properties[key] then return properties[key](m) end
  local value = read(m, tostring(key))
  if value == nil then error(("machine has no %s"):format(tostring(key)), 2) end
  return value
end)

core.machine_newindex(function(m, key, value) m:set(tostring(key), value) end)

-- An integer is a raw word, a float a value; text is taken as the console takes it.
local function value_text(value)
  if math.type(value) == "integer" then
    return value < 0 and tostring(value) or ("0x%x"):format(value)
  elseif type(value) == "number" then
    local text = ("%.10f"):format(value)
    return text
  end
  return tostring(value)
end

-- A command by its name and arguments; what is no argument is told at the caller's line.
local function command(m, name, ...)
  local words = { name }
  for i = 1, select("#", ...) do
    local word = select(i, ...)
    if type(word) ~= "number" and type(word) ~= "string" then
      error(("%s: an argument cannot be %s"):format(name, word == nil and "nil" or "a " .. type(word)), 3)
    end
    if word == "" then error(name .. ": an argument cannot be empty", 3) end
    words[i + 1] = word
  end
  return core.exec(m, table.concat(words, " "))
end

local function whole(name, n)
  if not math.tointeger(n) then error(("%s %s: must be a whole number"):format(name, tostring(n)), 3) end
  return math.tointeger(n)
end

-- A lesson's check wants to know of a condition that never came true (core.on_miss).
local function tell_miss(line, note)
  if core.on_miss and line:find("until") and note:find("^never came true") then core.on_miss(line) end
end

function methods.cmd(m, line)
  if type(line) ~= "string" then error("cmd: needs a line of text", 2) end
  local out, note = core.exec(m, line)
  tell_miss(line, note)
  return out
end

function methods.step(m, n) command(m, "step", n or 1) end
function methods.back(m, n) command(m, "back", n or 1) end
function methods.goto_(m, cycle) command(m, "goto", cycle) end
function methods.to_state(m, n) command(m, "state", ("%+d"):format(whole("state", n or 1))) end
function methods.to_token(m, n) command(m, "token", ("%+d"):format(whole("token", n or 1))) end

function methods.until_(m, condition)
  local _, note = command(m, "run until", condition)
  if note:find("^until ") == nil then
    error(("run until %s: %s"):format(condition, note), 2)
  end
  return note
end

function methods.run(m)
  local _, note = command(m, "run")
  return note
end

function methods.rev(m, condition)
  local _, note
  if condition == nil then _, note = command(m, "rev") else _, note = command(m, "rev until", condition) end
  return note
end

function methods.lastwrite(m, name) command(m, "lastwrite", name) end
function methods.break_(m, condition)
  return math.tointeger(command(m, "break", condition):match("breakpoint (%d+)"))
end
function methods.delete(m, id)
  if id == nil then command(m, "delete") else command(m, "delete", id) end
end
function methods.watch(m, name) command(m, "watch", name) end
function methods.unwatch(m, name) command(m, "unwatch", name) end

function methods.get(m, name) return core.get(m, name) end
function methods.value(m, name) return core.value(m, name) end
function methods.hex(m, name) return core.hex(m, name) end
function methods.changed(m, name) return core.changed(m, name) end

core.sets = 0 -- so far: a lesson tells its pupil who has edited the machine
function methods.set(m, name, value)
  command(m, "set", name, value_text(value))
  core.sets = core.sets + 1
end

function methods.undo(m) command(m, "undo") end
function methods.hash(m) return core.hash(m) end
function methods.signals(m) return core.signals(m) end
function methods.info(m, path) return core.info(m, path) end
function methods.explain(m) return core.explain(m) end
function methods.score(m, list) return core.score(m, list) end
function methods.mark(m) return core.mark(m) end
function methods.restore(m, mark) core.restore(m, mark) end

-- Integers of the parameters are integers, floats values: mask = -8.0, mask = 0xf800.
local function parameters(settings)
  local out = {}
  for key, value in pairs(settings or {}) do
    if key == "mask" or key == "score_scale" then value = value_text(value) end
    out[key] = value
  end
  return out
end

function methods.configure(m, settings) core.configure(m, parameters(settings)) end

words = { held_out = core.held_out }

machine = {}

function machine.create(settings) return core.machine(parameters(settings)) end

-- Tokens of a fresh machine: { { position =, cycles =, out_emb = { values } }, ... }
function run(settings)
  settings = settings or {}
  local count = settings.tokens or 1
  local copy = {}
  for key, value in pairs(settings) do copy[key] = value end
  copy.tokens = count
  local fresh, tokens = machine.create(copy), {}
  for position = 0, count - 1 do
    local before = fresh.cycle
    fresh:until_("valid == 1")
    tokens[#tokens + 1] = {
      position = position,
      cycles = fresh.cycle - before - (position > 0 and 1 or 0),
      raw = fresh:get("out_emb"),
      out_emb = fresh:value("out_emb"),
    }
  end
  return tokens
end

-- ---- values as text, for the console ----

local function show(value, depth)
  if type(value) == "string" then return depth > 0 and ("%q"):format(value) or value end
  if type(value) ~= "table" or getmetatable(value) then return tostring(value) end
  if depth > 3 then return "{...}" end
  local parts, listed = {}, 0
  for i, item in ipairs(value) do
    if i > 64 then parts[#parts + 1] = "..." break end
    parts[#parts + 1] = show(item, depth + 1)
    listed = i
  end
  local keys = {}
  for key in pairs(value) do
    if not (math.type(key) == "integer" and key >= 1 and key <= #value) then keys[#keys + 1] = key end
  end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for i, key in ipairs(keys) do
    if i > 64 then parts[#parts + 1] = "..." break end
    parts[#parts + 1] = tostring(key) .. " = " .. show(value[key], depth + 1)
  end
  return "{ " .. table.concat(parts, ", ") .. " }"
end

function core.show(value) return show(value, 0) end

-- ---- lines typed at a console ----

-- What looks like a command is told to be none; Lua's own words begin no command.
local keywords = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat
  return then true until while]]):gmatch("%a+") do keywords[word] = true end

local function no_command(line, env)
  local word = line:match("^%s*([%a_][%w_]*)%s*$")
  if word and env[word] == nil and not keywords[word] then return word end
end

local function looks_like_command(line)
  local word = line:match("^%s*([%a_][%w_]*)%s+[%w+-]") or line:match("^%s*([%a_][%w_]*)%s*$")
  return word and not keywords[word] and word
end

-- An expression shows its values, a statement what it prints. env: its globals, by default all.
function core.line(line, env)
  env = env or _G
  local word, chunk, why = no_command(line, env), load("return " .. line, "=(line)", "t", env)
  if not chunk then chunk, why = load(line, "=(line)", "t", env) end
  if not chunk then word = looks_like_command(line) end
  if word then error(("%s: no such command, and nothing that Lua knows; %shelp lists the commands"):format(word, core.command_hint(word)), 0) end
  if not chunk then error((why:gsub("^%(line%):1: ", "")), 0) end
  local values = table.pack(chunk())
  for i = 1, values.n do values[i] = core.show(values[i]) end
  return table.concat(values, "  ")
end

-- A command as the console takes it: texts write it with a colon (Lua's labels have two).
local function bare(line) return line:match("^%s*:([^:].*)$") or line end

function core.is_pupil_command(line) return core.is_command(bare(line):match("^%s*(%S*)")) end

-- What a pupil answers a task with: a command as the console knows it, or Lua.
function core.pupil_line(line, env)
  line = bare(line)
  if core.is_pupil_command(line) then return env.m:cmd(line) end
  return core.line(line, env)
end

function cmd(line) return m:cmd(line) end
