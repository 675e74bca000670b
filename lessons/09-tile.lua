-- A t2 tile, byte by byte: assets/tile.t2 has a code and a scale that no trainer wrote. It begins with
-- the wrong weight that they make.

local file = { "tile.t2", shape = { 32, 256 } }

local function load_tile() return t2.open(file[1], file):tile(0, 0) end

local function take_tile(_, v)
  v.tile = load_tile()
  v.bad = v.tile:reserved()[1]
end

local function byte_text(byte)
  local bits = {}
  for pair = 3, 0, -1 do bits[#bits + 1] = (byte >> 2 * pair & 2 ~= 0 and "1" or "0") .. (byte >> 2 * pair & 1) end
  return ("0x%02x = %s"):format(byte, table.concat(bits, " "))
end

-- The weight that the decoder with that bug has there.
local function wrong_weight(tile, r, c, bug)
  for _, reading in ipairs(tile:wrong(r, c)) do
    if reading.name == bug then return reading.weight end
  end
  error("no reading is called " .. bug)
end

-- A test as a programmer writes it: decode a row both ways, and count where they part.
local function differences(tile, row)
  local n = 0
  for c = 0, 255 do
    if tile:weight(row, c) ~= wrong_weight(tile, row, c, "code - 1") then n = n + 1 end
  end
  return n
end

local function set_scales(tile, bits)
  for r = 0, 31 do
    for g = 0, 1 do
      local _, _, at = tile:where(r, 128 * g)
      tile:poke(at, bits & 0xff)
      tile:poke(at + 1, bits >> 8)
    end
  end
  return tile
end

local function bytes_of(tile) return { codes = select(3, tile:where(0, 0)), all = #tile:bytes() } end

return lesson {
  id = "09-tile", title = "A t2 tile, byte by byte", minutes = 25, needs = { "02-q88" },
  about = "One weight of a ternary tile is wrong: which, why, and where in the file.",

  page {
    say = function(_, v)
      local scale = fmt.decode("fp16", v.tile:scale(v.bad.row, v.bad.col))
      return ([[A t2 file holds tiles of weights: 32 rows, 256 columns. A weight is -1, 0 or +1, times a scale.
        Every 128 weights of a row have one scale.

        A program has read the tile that view 8 shows. In the left half of row %d it found the scale
        %.5g, and these weights: 0, %.5g, -%.5g, and one weight of %.5g. Something is wrong.]]):format(v.bad.row, scale, scale, scale,
        wrong_weight(v.tile, v.bad.row, v.bad.col, "code - 1"))
    end,
    show = "t2", set = { file = file },
    init = take_tile,
    ask { choice = "Which of its weights cannot be right?", options = { "0", "the negative one", "the largest" },
          answer = function(_, v)
            local scale = fmt.decode("fp16", v.tile:scale(v.bad.row, v.bad.col))
            return wrong_weight(v.tile, v.bad.row, v.bad.col, "code - 1") == 2 * scale and "the largest" or "0"
          end,
          hint = { "-1, 0 or +1 times the scale", "how many times the scale is the largest?" },
          because = "It is +2 times the scale. No weight of such a tile can be that." },
    ask { number = "In which column is it? (In view 8, R goes to the next code that is not allowed.)",
          answer = function(_, v) return v.bad.col end,
          wrong = function(_, v) return v.bad.row end,
          hint = { "press 8, then R; at the right stands where the cursor is", "the first line at the right: row and column" } },
    ask { number = "How many of the tile's codes are not allowed?",
          answer = function(_, v) return #v.tile:reserved() end,
          hint = { "R again" },
          because = "One of 8192. A flipped bit is enough." },
  },

  page {
    say = function(_, v)
      return ([[A weight is stored in two bits, its code. Code 00 is -1, 01 is 0, 10 is +1. The fourth pattern,
        11, means nothing: it is reserved, and no converter writes it. That is what stands in row %d,
        column %d.

        The program has written the obvious: weight = code - 1, times the scale, which is %s there.]]):format(
        v.bad.row, v.bad.col, fmt.text("fp16", v.tile:scale(v.bad.row, v.bad.col)))
    end,
    show = "t2", set = { file = file },
    init = take_tile,
    ask { predict = function(_, v) return wrong_weight(v.tile, v.bad.row, v.bad.col, "code - 1") end,
          format = "value", tolerance = 0.0005, text = "What does code - 1 make of the code 11, as a weight?",
          wrong = { 0 },
          hint = { "11 is 3, and 3 - 1 = 2", "twice the scale" },
          because = function(_, v)
            local largest = 0
            for c = 0, 255 do largest = math.max(largest, math.abs(v.tile:weight(v.bad.row, c))) end
            return ("The largest weight that is really in this row is %.6g."):format(largest)
          end },
    ask { choice = "What should a decoder make of it?",
          options = { "the code minus 1, like the others: +2 times the scale", "0, and count it",
                      "+1 times the scale: the nearest that is allowed" },
          answer = function(_, v)
            local w = v.tile:weight(v.bad.row, v.bad.col)
            return w == 0 and "0, and count it" or "the code minus 1, like the others: +2 times the scale"
          end,
          hint = { "which of the three does the least harm, and is still noticed?" },
          because = "What nobody wrote must not become the largest weight of the row. This program, tokstep, does so." },
  },

  page {
    say = [[
      Now, where in the file is it? First the sizes. A tile has 32 rows and 256 columns. It begins with
      the codes: two bits for each weight, four weights in a byte. Then come the scales: one fp16
      number, of 16 bits, for every 128 weights of a row.]],
    show = "t2", set = { file = file },
    init = function(_, v) v.tile = load_tile() end,
    ask { number = "How many bytes of codes does a tile have?",
          answer = function(_, v) return bytes_of(v.tile).codes end, wrong = { 8192, 1024 },
          hint = { "32 * 256 weights, four in a byte" } },
    ask { number = "And how many bytes in all, with the scales?",
          answer = function(_, v) return bytes_of(v.tile).all end, wrong = { 2112, 2080 },
          mistake = function(given)
            if given == 2112 then return "an fp16 number has two bytes" end
            if given == 2080 then return "a row has 256 weights: that is two scales" end
          end,
          hint = { "two scales a row, two bytes each", "2048 + 32 * 2 * 2" } },
    ask { number = "How many bits is that for each weight? (decimal)", format = "value", tolerance = 0.0001,
          answer = function(_, v) return bytes_of(v.tile).all * 8 / (32 * 256) end, wrong = { 2, 2.25 },
          hint = { "2176 * 8 / 8192" },
          because = "Of Q8.8 or fp16 the same weights would take 16." },
  },

  page {
    say = [[
      Where is a weight? A row has 64 bytes, one row after the other. In each byte the four weights
      stand from the right: the first of them in the lowest two bits. Here is a place for you.]],
    show = "t2",
    init = function(_, v)
      v.tile, v.row, v.col = load_tile(), v.random(1, 15), v.random(130, 250)
      while v.tile:weight(v.row, v.col) == 0 do v.col = v.col + 1 end
    end,
    ask { number = function(_, v) return ("Which byte holds the code of row %d, column %d? (in hex)"):format(v.row, v.col) end,
          format = "hex", answer = function(_, v) return (v.tile:where(v.row, v.col)) end,
          wrong = function(_, v) return v.row * 256 + v.col end,
          hint = { "64 bytes for each row before it, and a quarter of the column",
                   function(_, v) return ("%d * 64 + %d // 4"):format(v.row, v.col) end } },
    ask { number = "At which bit of that byte does it begin? (0, 2, 4 or 6)",
          answer = function(_, v) return select(2, v.tile:where(v.row, v.col)) end,
          hint = { "twice the rest of column / 4" } },
    ask { number = "And the lower byte of its scale? (in hex)", format = "hex",
          answer = function(_, v) return select(3, v.tile:where(v.row, v.col)) end,
          wrong = function(_, v) return 2048 + v.row * 4 end,
          mistake = function(given, _, v)
            if given == 2048 + v.row * 4 then return "that is the scale of columns 0 to 127" end
          end,
          hint = { "behind the 2048 code bytes: 4 bytes a row, 2 a half",
                   function(_, v) return ("0x800 + %d * 4 + 2; then `/` in the view and %d,%d to see it"):format(v.row, v.row, v.col) end } },
  },

  page {
    say = function(_, v)
      return ([[Code 0 is -1, code 1 is 0, code 2 is +1. The byte that you have found is

        %s

        and its scale is stored as the bytes %02x %02x.]]):format(byte_text(v.tile:byte(v.at)),
        v.tile:byte(v.scale_at), v.tile:byte(v.scale_at + 1))
    end,
    show = "t2",
    init = function(_, v)
      v.at, v.bit, v.scale_at = v.tile:where(v.row, v.col)
      v.first = v.col - v.col % 4
    end,
    ask { predict = function(_, v)
            local sum = 0
            for c = v.first, v.first + 3 do sum = sum + v.tile:code(v.row, c) - 1 end
            return sum
          end,
          text = "Add up its four weights, without the scale: which sum will the decoder have?",
          hint = { "00 is -1, 01 is 0, 10 is +1", "the order does not matter for a sum" } },
    ask { predict = function(_, v) return v.tile:scale(v.row, v.col) end, format = "hex",
          text = "Which 16-bit word is the scale?",
          wrong = function(_, v) return v.tile:byte(v.scale_at) << 8 | v.tile:byte(v.scale_at + 1) end,
          mistake = function() return "the lower byte comes first" end,
          hint = { "little-endian: the second byte is the upper one" } },
    ask { predict = function(_, v) return v.tile:weight(v.row, v.col) end, format = "value", tolerance = 0.0005,
          text = function(_, v) return ("So what is the weight of row %d, column %d?"):format(v.row, v.col) end,
          wrong = function(_, v) return -v.tile:weight(v.row, v.col) end,
          hint = { "fp16: sign, 5 bits of exponent (bias 15), 10 of fraction",
                   function(_, v) return ("the scale is %s; `/` and %d,%d shows the cell"):format(
                     fmt.text("fp16", v.tile:scale(v.row, v.col)), v.row, v.col) end },
          because = "Exactly: fp16 in, fp16 out. No scale is ever rounded on its way." },
  },

  page {
    say = [[
      The program with code - 1 had a test for just this. The test made a tile, put a reserved code into
      it, set all scales to zero, decoded, and found the weight that it should be. It passed, and the
      error was there. Now the lesson does the same: it decodes the row with the reserved code in both
      ways, and counts the weights that come out different.]],
    show = "t2",
    ask { predict = function(_, v) return differences(load_tile(), v.bad.row) end,
          text = "With the tile as it is: how many weights of the row differ?", wrong = { 0, 256 },
          hint = { "both agree on codes 0, 1 and 2" } },
    ask { predict = function(_, v) return differences(set_scales(load_tile(), 0), v.bad.row) end,
          text = "And with all scales set to 0x0000?", wrong = { 1, 2 },
          mistake = function() return "how much is 2 times the scale, then?" end,
          hint = { "2 * 0" },
          because = "On a tile of zeros every decoder is right. The test could not fail." },
    ask { choice = "Which scales let a test see the most kinds of error?",
          options = { "all zero", "all 1.0", "non-zero, and no two alike" },
          answer = function(_, v)
            local function seen(tile)
              local kinds = 0
              for _, reading in ipairs(tile:wrong(v.bad.row, v.bad.col)) do kinds = kinds + (reading.differs and 1 or 0) end
              return kinds
            end
            local zero, one, own = seen(set_scales(load_tile(), 0)), seen(set_scales(load_tile(), 0x3c00)), seen(load_tile())
            return own >= one and own > zero and "non-zero, and no two alike" or one > zero and "all 1.0" or "all zero"
          end,
          hint = { "a decoder that takes the scale of the wrong row: when would you notice?" },
          because = function()
            local tile, plain = load_tile(), set_scales(load_tile(), 0x3c00)
            local function seen(t)
              for _, reading in ipairs(t:wrong(1, 0)) do
                if reading.name:find("^scale index") then return reading.differs end
              end
            end
            return ([[Take the scale of a wrong row: with all scales 1.0 %s sees it, with the tile's
              own %s.]]):format(seen(plain) and "one" or "nobody", seen(tile) and "everybody" or "nobody")
          end },
  },

  page {
    say = [[
      There is a second trap in this tile, a scale. In view 8, S goes to the next special scale: zero, subnormal,
      infinite, or not a number.]],
    show = "t2",
    init = function(_, v)
      v.tile = load_tile()
      for r = 0, 31 do
        for g = 0, 1 do
          if fmt.class("fp16", v.tile:scale(r, 128 * g)) == "subnormal" then v.special = { r, 128 * g } end
        end
      end
      for c = v.special[2], v.special[2] + 127 do
        if v.tile:code(v.special[1], c) == 2 then v.special[2] = c break end
      end
    end,
    ask { number = "In which row does it have one?", answer = function(_, v) return v.special[1] end,
          hint = { "8, then S" } },
    ask { number = "Its bits are 0x0011, and its exponent field is 0: the value is 17 times the smallest subnormal, 2 to the power of which number?",
          answer = function() return math.log(fmt.decode("fp16", 1), 2) // 1 | 0 end, wrong = { -14, -15, -10 },
          hint = { "the smallest normal is 2^-14, and there are 10 bits of fraction below it" },
          because = function() return ("17 * 2^-24 = %.4g."):format(fmt.decode("fp16", 0x11)) end },
    ask { choice = "A decoder that knows no subnormals takes it for 0. How many weights does that make zero that were not?",
          options = { "none that matter: they are all 0 anyway", "one", "all that are +1 or -1 under that scale" },
          answer = function(_, v)
            local lost, r, first = 0, v.special[1], v.special[2] - v.special[2] % 128
            for c = first, first + 127 do
              if v.tile:weight(r, c) ~= 0 and wrong_weight(v.tile, r, c, "subnormal flushed") == 0 then lost = lost + 1 end
            end
            return lost > 1 and "all that are +1 or -1 under that scale" or lost == 1 and "one"
              or "none that matter: they are all 0 anyway"
          end,
          hint = { "the scale counts for 128 columns" },
          because = function(_, v)
            local lost, r, first = 0, v.special[1], v.special[2] - v.special[2] % 128
            for c = first, first + 127 do lost = lost + (v.tile:weight(r, c) ~= 0 and 1 or 0) end
            return ("%d weights, and nothing tells. A wrong byte of codes spoils four weights; a wrong scale 128."):format(lost)
          end },
  },

  page {
    say = [[
      In view 8 `e` edits the byte under the cursor, in memory only; `u` takes it back.]],
    play = "Put the reserved code right, spoil another one, watch what a wrong decoder would show.",
    show = "t2",
    ask { choice = "A file has one reserved code among a million. What should a loader do?",
          options = { "decode it as 0 and say nothing", "refuse, and name the place", "decode it as +1" },
          answer = "refuse, and name the place",
          because = "`tokstep t2 verify` does: tile, row, column, byte and bit." },
  },
}
