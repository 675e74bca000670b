-- Ternary tiles: values to be read and poked; tensors of files, read only; conversions.
local core = ...

t2 = {}

core.methods("tile", {
  byte = core.tile_byte, bytes = core.tile_bytes, poke = core.tile_poke, code = core.tile_code,
  scale = core.tile_scale, weight = core.tile_weight, where = core.tile_where,
  wrong = core.tile_wrong, reserved = core.tile_reserved,
})

core.methods("tensor", {
  info = core.tensor_info, tile = core.tensor_tile, cell = core.tensor_cell,
  verify = core.tensor_verify,
  weight = function(f, row, col) return core.tensor_cell(f, row, col).weight end,
})

core.methods("layout", { cell = core.layout_cell, convert = core.layout_convert })

function t2.tile(bytes) return core.tile(bytes) end

function t2.open(path, options)
  options = options or {}
  local shape = options.shape or {}
  return core.tensor_open(path, options.tensor, shape[1], shape[2])
end

function t2.convert(kind, rows, cols, bytes, options)
  return core.convert(kind, rows, cols, bytes, options and options.clamp)
end

function t2.layout(functions, rows, cols) return core.layout(functions, rows, cols) end
