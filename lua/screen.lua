-- What a script wants to be seen. It never draws: it leaves wishes, which the explorer grants when
-- the script has ended or waits; without a screen they have no effect.
local core = ...

screen = {}

local function word(text, what)
  text = tostring(text)
  if not text:find("^[%w_.%[%]+-]+$") then error(("%s: not a %s"):format(text, what), 3) end
  return text
end

local function seek_place(where)
  where = tostring(where)
  if not where:find("^%d+,%d+$") and not where:find("^%w+$") then
    error(where .. ": not a row,column, a byte, reserved or special", 3)
  end
  return where
end

function screen.show(view)
  local there, why = core.has_view(word(view, "view"))
  if not there then error(why, 2) end
  core.wish("view " .. view)
end
function screen.cursor(name) core.wish("find " .. word(name, "signal")) end
function screen.highlight(...)
  for _, name in ipairs({ ... }) do core.wish("highlight " .. word(name, "signal")) end
end
function screen.systolic(operands)
  local text = type(operands) == "table" and operands:text() or tostring(operands)
  if not text:find("^[%w;,. -]+$") then error(text .. ": not A x B", 2) end
  core.wish("systolic " .. text)
end
-- A file of tensors for the t2 view, and a place in it.
function screen.tensors(file, options)
  local shape = options and options.shape
  t2.open(file, options) -- refuses what is no such file
  core.wish("open " .. core.path(file) .. (shape and (" %dx%d"):format(shape[1], shape[2]) or ""))
end
function screen.seek(where) core.wish("seek " .. seek_place(where)) end
function screen.zoom(on) core.wish(on == false and "zoom off" or "zoom on") end
function screen.numbers(how) core.wish("numbers " .. word(how, "way to write numbers")) end
-- The shortest text that is the same number.
local function shortest(x)
  for digits = 1, 17 do
    local text = ("%." .. digits .. "g"):format(x)
    if tonumber(text) == x then return text end
  end
  return tostring(x)
end

function screen.fmt(value)
  core.wish("fmt " .. word(math.type(value) == "float" and shortest(value) or value, "value"))
end
