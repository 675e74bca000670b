-- Plots as lines of text: points { x, y } on a grid of characters. Printed by a script; a lesson
-- keeps them, and draws them anew for the width of its pane.
local core = ...
local print = print

local MARKS, SEVERAL, LABEL, HEIGHT_MOST, WIDTH_MOST = "*o+x#@", "&", 9, 100, 200
local AXES = LABEL + 2 -- columns left of the points

local function finite(x) return type(x) == "number" and x - x == 0 end

-- The points of all series as a copy that nobody else can change; raises for what is no point.
local function read(spec)
  if type(spec) ~= "table" then error("plot: needs a table", 3) end
  local plot = { title = spec.title and tostring(spec.title), width = spec.width, height = spec.height,
    names = {}, series = {} }
  for _, key in ipairs({ "width", "height" }) do
    if spec[key] and not math.tointeger(spec[key]) then error(("plot: %s is a whole number"):format(key), 3) end
  end
  if spec.series then
    for name in pairs(spec.series) do plot.names[#plot.names + 1] = name end
    table.sort(plot.names, function(a, b) return tostring(a) < tostring(b) end)
  end
  local count = 0
  for k = 1, spec.series and #plot.names or 1 do
    local points = {}
    for i, p in ipairs(spec.series and spec.series[plot.names[k]] or spec) do
      if type(p) ~= "table" or not finite(p[1]) or not finite(p[2]) then
        error("plot: a point is { x, y }, two finite numbers", 3)
      end
      points[i] = { p[1], p[2] }
      count = count + 1
    end
    plot.series[k] = points
  end
  if count == 0 then error("plot: no points", 3) end
  return plot
end

local function extent(series, k)
  local low, high = math.huge, -math.huge
  for _, points in ipairs(series) do
    for _, p in ipairs(points) do
      low, high = math.min(low, p[k]), math.max(high, p[k])
    end
  end
  if low == high then low, high = low - 1, high + 1 end
  return low, high
end

local function short(x) return (("%.4g"):format(x)) end

local function clamp(x, low, high) return math.max(low, math.min(high, x)) end

local function mark(k) return MARKS:sub((k - 1) % #MARKS + 1, (k - 1) % #MARKS + 1) end

-- Which of n places x has between low and high, from 0; halved, so that no difference overflows.
local function place(x, low, high, n)
  return math.floor((x / 2 - low / 2) / (high / 2 - low / 2) * (n - 1) + 0.5)
end

-- The title, and what each mark stands for.
local function heading(plot, several)
  local parts = { plot.title }
  for k, name in ipairs(plot.names) do parts[#parts + 1] = ("%s %s"):format(mark(k), name) end
  if several then parts[#parts + 1] = SEVERAL .. " several" end
  return #parts > 0 and table.concat(parts, "   ") or nil
end

-- Rows of characters, from the top; true if points of several series share one.
local function draw(plot, width, height, x0, x1, y0, y1)
  local grid, several = {}, false
  for y = 1, height do
    grid[y] = {}
    for x = 1, width do grid[y][x] = " " end
  end
  for k, points in ipairs(plot.series) do
    for _, p in ipairs(points) do
      local row, x = grid[height - place(p[2], y0, y1, height)], 1 + place(p[1], x0, x1, width)
      local shared = row[x] ~= " " and row[x] ~= mark(k)
      row[x] = shared and SEVERAL or mark(k)
      several = several or shared
    end
  end
  return grid, several
end

-- The plot for a pane of `columns` and `rows`: as wide as that, and not so high that a question has
-- no room below it. Without, as its author said.
function core.plot_lines(plot, columns, rows)
  local width = columns and columns - AXES or plot.width or 40
  local height = clamp(plot.height or 10, 3, HEIGHT_MOST)
  if rows then height = math.min(height, math.max(5, rows - 13)) end
  width = clamp(width, 20, WIDTH_MOST)
  local x0, x1 = extent(plot.series, 1)
  local y0, y1 = extent(plot.series, 2)
  local grid, several = draw(plot, width, height, x0, x1, y0, y1)
  local lines = { heading(plot, several) }
  for y = 1, height do
    local label = y == 1 and short(y1) or y == height and short(y0) or ""
    lines[#lines + 1] = ("%9s |%s"):format(label, (table.concat(grid[y]):gsub(" +$", "")))
  end
  lines[#lines + 1] = ("%9s +%s"):format("", ("-"):rep(width))
  local left, right = short(x0), short(x1)
  lines[#lines + 1] = (" "):rep(AXES) .. left .. (" "):rep(width - #left - #right) .. right
  return table.concat(lines, "\n")
end

-- plot { title =, { x, y }, ... } or { title =, series = { NAME = { { x, y }, ... } } }
function screen.plot(spec)
  local plot = read(spec)
  if core.plots then
    core.plots[#core.plots + 1] = plot -- of the lesson's page
  else
    print(core.plot_lines(plot))
  end
end
