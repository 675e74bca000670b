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

function screen.show(view) core.wish("view " .. word(view, "view")) end
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

-- ---- plots ----

local function extent(points, k)
  local low, high = math.huge, -math.huge
  for _, p in ipairs(points) do
    low, high = math.min(low, p[k]), math.max(high, p[k])
  end
  if low == high then low, high = low - 1, high + 1 end
  return low, high
end

local function short(x)
  local text = ("%.4g"):format(x)
  return text
end

-- plot { title =, { x, y }, ... } or { title =, series = { a = {...}, b = {...} } }: lines of text.
function screen.plot(spec)
  local all, series, names = {}, {}, {}
  if spec.series then
    for name in pairs(spec.series) do names[#names + 1] = name end
    table.sort(names)
    for _, name in ipairs(names) do series[#series + 1] = spec.series[name] end
  else
    series[1] = spec
  end
  for _, points in ipairs(series) do
    for _, p in ipairs(points) do
      if type(p[1]) ~= "number" or type(p[2]) ~= "number" or p[1] ~= p[1] or p[2] ~= p[2] then
        error("plot: a point is { x, y }", 2)
      end
      all[#all + 1] = p
    end
  end
  if #all == 0 then error("plot: no points", 2) end
  local width, height, marks = math.max(20, spec.width or 40), math.max(3, spec.height or 10), "*o+x#@"
  local x0, x1 = extent(all, 1)
  local y0, y1 = extent(all, 2)
  local rows = {}
  for y = 1, height do
    rows[y] = {}
    for x = 1, width do rows[y][x] = " " end
  end
  for k, points in ipairs(series) do
    local mark = marks:sub((k - 1) % #marks + 1, (k - 1) % #marks + 1)
    for _, p in ipairs(points) do
      local x = 1 + math.floor((p[1] - x0) / (x1 - x0) * (width - 1) + 0.5)
      local y = height - math.floor((p[2] - y0) / (y1 - y0) * (height - 1) + 0.5)
      rows[y][x] = mark
    end
  end
  local lines = {}
  if spec.title then lines[1] = spec.title end
  for y = 1, height do
    local label = y == 1 and short(y1) or y == height and short(y0) or ""
    lines[#lines + 1] = ("%9s |%s"):format(label, (table.concat(rows[y]):gsub(" +$", "")))
  end
  lines[#lines + 1] = ("%9s +%s"):format("", ("-"):rep(width))
  lines[#lines + 1] = ("%9s  %-" .. (width - 9) .. "s%9s"):format("", short(x0), short(x1))
  for k, name in ipairs(names) do
    lines[#lines + 1] = ("%9s  %s %s"):format("", marks:sub((k - 1) % #marks + 1, (k - 1) % #marks + 1), name)
  end
  core.plot(table.concat(lines, "\n"))
end
