-- The systolic array: clocked edge by edge, or fed with a matrix product.
local core = ...

systolic = {}

core.methods("array", {
  -- One rising edge. pins: a per row, b per column (missing: 0), enable (default true), clear.
  step = function(x, pins)
    pins = pins or {}
    core.array_step(x, pins.a, pins.b, pins.enable ~= false, pins.clear)
  end,
  acc = function(x, r, c) return (core.array_element(x, r, c)) end,
  operands = function(x, r, c) return select(2, core.array_element(x, r, c)) end,
  done = core.array_done, copy = core.array_copy, size = core.array_size,
})

function systolic.array(options)
  options = options or {}
  return core.array(options.rows or 4, options.cols or 4, options.legacy)
end

-- The methods stay out of a script's reach.
local product = {}
local product_meta = { __index = function(_, key) return product[key] end, __metatable = "product" }

local function column(matrix, k)
  local words = {}
  for i, row in ipairs(matrix) do words[i] = row[k] end
  return words
end

-- A x B on one tile: A has at most as many rows, B as many columns as the array. Lists of rows.
function systolic.product(a, b, options)
  options = options or {}
  local p = setmetatable({ a = a, b = b, k = #b, options = options }, product_meta)
  for _, row in ipairs(a) do
    if #row ~= p.k then error("systolic.product: A needs a column for each row of B", 2) end
  end
  local rows, cols = systolic.array(options):size()
  if p.k == 0 or #a > rows or #b[1] > cols then
    error(("systolic.product: does not fit on %d x %d"):format(rows, cols), 2)
  end
  p.edges = p.k + rows + cols - 2
  return p
end

-- The array after the first n edges, zeros behind the operands.
function product:after(n)
  local x = systolic.array(self.options)
  for edge = 1, n do
    x:step{ a = column(self.a, edge), b = self.b[edge] }
  end
  return x
end

-- Elements that multiply two words other than 0 on an edge, the first being 0.
function product:busy(edge)
  local x, busy = self:after(edge + 1), 0
  local rows, cols = x:size()
  for r = 0, rows - 1 do
    for c = 0, cols - 1 do
      local a, b = x:operands(r, c)
      if a ~= 0 and b ~= 0 then busy = busy + 1 end
    end
  end
  return busy
end

-- The edge on which `done` rises.
function product:done_edge()
  local edge = 0
  while not self:after(edge + 1):done() do edge = edge + 1 end
  return edge
end

-- The same product as the systolic view takes it: 1 2; 3 4 x 5 6; 7 8.
function product:text()
  local function write(matrix)
    local rows = {}
    for i, row in ipairs(matrix) do rows[i] = table.concat(row, " ") end
    return table.concat(rows, "; ")
  end
  return write(self.a) .. " x " .. write(self.b)
end
