-- The cycle counter: each stage of one token measured by stepping it, by the closed form of the
-- machine, and as the deck estimates it.
local core = ...

cycles = {}

-- { pos =, stages = { { stage =, measured =, formula =, deck = } ... }, measured =, formula =, deck = }
function cycles.count(settings)
  local pos, copy = 0, {}
  for key, value in pairs(settings or {}) do
    if key == "pos" then pos = value else copy[key] = value end
  end
  local rows, result = core.cycle_report(machine.create(copy), pos)
  result.pos, result.stages = pos, rows
  for _, row in ipairs(rows) do result[row.stage] = row end
  return result
end

-- cycles.count for each of `values` of one parameter (or of pos).
function cycles.sweep(key, values, settings)
  local rows = {}
  for _, value in ipairs(values) do
    local copy = { [key] = value }
    for name, other in pairs(settings or {}) do
      if name ~= key then copy[name] = other end
    end
    local row = cycles.count(copy)
    row[key] = value
    rows[#rows + 1] = row
  end
  return rows
end

function cycles.seconds(count, mhz) return count / ((mhz or 29.2) * 1e6) end
