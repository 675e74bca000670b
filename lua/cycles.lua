-- The cycle counter: each stage of one token measured by stepping it, by the closed form of the
-- machine, and as the deck estimates it.
local core = ...

cycles = {}

-- The deck's estimate per stage (nil: it has none).
local function deck(c, pos)
  local D, H, F, dh = c.d_model, c.n_heads, c.d_ff, c.d_head
  local p = math.max(1, pos)
  return {
    ln1 = 3 * D + 50, ln2 = 3 * D + 50, qkv = 3 * D, score = H * p * dh,
    softmax = H * (5 * 128 + 30), weighted_sum = H * dh * p, out_proj = D * D,
    ffn_linear1 = D * F, relu = 16, ffn_linear2 = F * D, control = 20,
  }
end

-- { pos =, stages = { { stage =, measured =, formula =, deck = } ... }, measured =, formula =, deck = }
function cycles.count(settings)
  local pos, copy = 0, {}
  for key, value in pairs(settings or {}) do
    if key == "pos" then pos = value else copy[key] = value end
  end
  local m = machine.create(copy)
  local estimate, result = deck(m.config, pos), { pos = pos, measured = 0, formula = 0, deck = 0 }
  result.stages = core.stages(m, pos)
  for _, row in ipairs(result.stages) do
    row.deck = estimate[row.stage]
    result.measured = result.measured + row.measured
    result.formula = result.formula + row.formula
    result.deck = result.deck + (row.deck or 0)
    result[row.stage] = row
  end
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
