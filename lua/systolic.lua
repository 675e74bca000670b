-- Matrix products on the output-stationary array.
local core = ...

systolic = {}

core.methods("product", { after = core.product_state, cost = core.product_cost })

-- Rows of a matrix as the text of the console: integers are raw words, floats values.
local function text_of(matrix)
  if type(matrix) == "string" then return matrix end
  local rows = {}
  for i, row in ipairs(matrix) do rows[i] = table.concat(row, " ") end
  return table.concat(rows, "; ")
end

function systolic.product(a, b, options)
  options = options or {}
  return core.product(text_of(a), text_of(b), options.rows, options.cols, options.q88,
    options.done == "legacy")
end
