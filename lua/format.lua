-- Number formats (fmt) and the machine's own arithmetic on raw words (q88).
local core = ...

fmt = {}

-- The code, and a table that tells whether it is exact, a tie, beyond the range.
function fmt.encode(format, value, options)
  options = options or {}
  local code, exact, tie, overflow =
    core.encode(format, value, options.round, options.overflow, options.seed)
  return code, { exact = exact, tie = tie, overflow = overflow }
end

function fmt.decode(format, code) return core.decode(format, code) end
function fmt.text(format, code) return core.exact_text(format, code) end
function fmt.hex(format, code) return core.code_hex(format, code) end
function fmt.fields(format, code) return core.fields(format, code) end
function fmt.class(format, code) return core.class_of(format, code) end
function fmt.next(format, code) return core.step(format, code, 1) end
function fmt.previous(format, code) return core.step(format, code, -1) end
function fmt.bits(format) return core.bits(format) end
function fmt.formats() return core.formats() end
function fmt.block(kind, values, options) return core.block(kind, values, options) end

-- The value in several formats: a row each, in the order asked for.
function fmt.compare(value, names)
  local rows = {}
  for _, format in ipairs(names or { "q8.8", "fp16", "bf16", "e4m3", "e2m1" }) do
    local code, how = fmt.encode(format, value)
    local err, relative = core.error_of(format, code, value)
    rows[#rows + 1] = {
      format = format, code = code, hex = fmt.hex(format, code), value = fmt.decode(format, code),
      error = err, relative = relative, exact = how.exact, tie = how.tie, overflow = how.overflow,
    }
  end
  return rows
end

q88 = {}

function q88.of(value) -- nearest, saturating; as a signed word
  local code = core.encode("q8.8", value)
  return code >= 0x8000 and code - 0x10000 or code
end

local function word(raw)
  raw = math.tointeger(raw)
  if not raw or raw < -32768 or raw > 65535 then error("q88: must be a raw 16-bit word", 3) end
  return raw & 0xffff
end

function q88.value(raw) return core.decode("q8.8", word(raw)) end
function q88.hex(raw) return ("%04x"):format(word(raw)) end
function q88.mul(a, b) return core.q88_mul(a, b) end
function q88.add(a, b) return core.q88_add(a, b) end
function q88.sub(a, b) return core.q88_sub(a, b) end
function q88.narrow(acc) return core.q88_narrow(acc) end
function q88.exp(x, mode) return core.q88_exp(x, mode) end
function q88.inv_sqrt(x) return core.q88_inv_sqrt(x) end
function q88.reciprocal(s) return core.q88_reciprocal(s) end
