-- fp16 or bf16 for a scale: both have 16 bits, seven in eight of the one are not in the other, and
-- the machine says what that costs.

local twin = "words.w2.t2"

local function twin_scales()
  local f, scales = t2.open(twin, { shape = { 64, 256 } }), {}
  for row = 0, 63 do
    for group = 0, 1 do scales[#scales + 1] = f:cell(row, 128 * group).scale end
  end
  return scales
end

-- What becomes of an fp16 code in bf16: the code, whether it is the same number, the relative error.
local function to_bf16(code)
  local value = fmt.decode("fp16", code)
  local short, how = fmt.encode("bf16", value)
  return short, how.exact, math.abs(fmt.decode("bf16", short) - value) / math.abs(value)
end

local function inexact(codes)
  local n, worst = 0, 0
  for _, code in ipairs(codes) do
    local _, exact, off = to_bf16(code)
    if not exact then n = n + 1 end
    worst = math.max(worst, off)
  end
  return n, worst
end

-- All 1024 fractions under one exponent.
local function binade()
  local codes = {}
  for fraction = 0, 1023 do codes[fraction + 1] = 0x3c00 + fraction end
  return codes
end

local function field_widths(format)
  local widths = {}
  for bits in fmt.fields(format, 0):gmatch("%d+") do widths[#widths + 1] = #bits end
  return widths -- sign, exponent, fraction
end

-- How many lowest bits of the fraction must be 0 for bf16 to hold the number: found by trying.
local function bits_lost()
  local lost = 0
  while inexact({ 0x3c00 | 1 << lost }) == 1 do lost = lost + 1 end
  return lost
end

-- The largest error among codes, in percent, to the thousandth.
local function worst_error(codes)
  return math.floor(100000 * select(2, inexact(codes)) + 0.5) / 1000
end

-- ---- the machine's own word on it ----

-- Words that training has not seen.
local unseen = {}
for word in ([[abbots acrostic alkali anniversaries arrested authoring barbarisms begrudged bisons bonds
  brisked butcher caparisoned censure chicle clattering collegians concreted controversial
  courtships cruellest dared defect descendent digraphs disseminates dowsed easygoing
  emigration enunciates excavate fags fiestas flaw forestation furloughing gesturing
  gondolier grouped handling hell hoofs imitate incites ingenuously interlocked jagged
  keyboarders lengthened locus lyrical mare metal misrules motorize nautiluses
  nominally oblong orthography panicked paved periscopes pilling plunk postmortems pressing
  prohibitive punctuate quotas reception reforest renounced rethought riverside runaround
  scammer seamanship shampoo shushed slenderer socializing sphinx starboard]]):gmatch("%a+") do
  if words.held_out(word) then unseen[#unseen + 1] = word end
end

-- What may be done to a scale: from its value to another.
local kept = function(value) return value end
local as_bf16 = function(value) return fmt.decode("bf16", (fmt.encode("bf16", value))) end
local nearest_power = function(value) return 2.0 ^ math.floor(math.log(value, 2) + 0.5) end
local cut_power = function(value) return 2.0 ^ math.floor(math.log(value, 2)) end

-- The twin as a matrix of the machine, [256][64] raw words: code times scale, rounded to Q8.8.
local matrices = {}
local function matrix(scale_of)
  if matrices[scale_of] then return matrices[scale_of] end
  local f, rows = t2.open(twin, { shape = { 64, 256 } }), {}
  for i = 1, 256 do rows[i] = {} end
  for out = 0, 63 do
    for i = 0, 255 do
      local cell = f:cell(out, i)
      rows[i + 1][out + 1] = fmt.encode("q8.8", (cell.code - 1) * scale_of(fmt.decode("fp16", cell.scale)))
      if rows[i + 1][out + 1] >= 0x8000 then rows[i + 1][out + 1] = rows[i + 1][out + 1] - 0x10000 end
    end
  end
  matrices[scale_of] = rows
  return rows
end

local function different(a, b)
  local n = 0
  for i, row in ipairs(a) do
    for k, word in ipairs(row) do n = n + (word ~= b[i][k] and 1 or 0) end
  end
  return n
end

-- Bits a letter, with w2 as it was trained (nil) or with the twin.
local scores = {}
local function bits(scale_of)
  local key = scale_of or "trained"
  scores[key] = scores[key] or machine.create{ model = "repaired", ffn_w2 = scale_of and matrix(scale_of) }:score(unseen)
  return math.floor(1000 * scores[key] + 0.5) / 1000
end

local function percent(part, all) return ("%.1f %%"):format(100 * part / all) end

return lesson {
  id = "10-scale", title = "fp16 or bf16 for a scale", minutes = 18, needs = { "09-tile" },
  about = "Both have 16 bits; what does the worse one cost? The machine says.",
  setup = { model = "repaired", text = "scale" },

  page {
    say = [[
      A t2 tile keeps its scales as fp16. Why not bf16? It has two bytes too, and processors
      like it. No byte of the tile moves. So what is the difference?

      The formats view shows one number in each format, field by field.]],
    show = "formats", set = { value = 1.5 },
    ask { number = "How many bits has the fraction of fp16?",
          answer = function() return field_widths("fp16")[3] end, wrong = { 7, 11, 5 },
          hint = { "the last of the three fields" } },
    ask { number = "And the fraction of bf16?",
          answer = function() return field_widths("bf16")[3] end, wrong = { 10, 8 },
          because = function()
            return ("The three bits that are missing went into the exponent: %d bits in place of %d."):format(
              field_widths("bf16")[2], field_widths("fp16")[2])
          end },
    ask { choice = "What does bf16 buy with them?",
          options = { "larger and smaller numbers", "finer numbers near 1", "fewer bytes" },
          answer = function()
            local function largest(format) return fmt.decode(format, format == "fp16" and 0x7bff or 0x7f7f) end
            return largest("bf16") > largest("fp16") and "larger and smaller numbers" or "finer numbers near 1"
          end,
          hint = { "what is an exponent for?" } },
  },

  page {
    say = function(_, v)
      return ([[The model of this tool has a ternary twin: %s, the feed forward's second matrix with
        weights -1, 0, +1 and a scale for each 128. One of its scales is 0x%04x, which is

        %s

        As fp16: %s (sign, exponent with bias 15, fraction).]]):format(twin, v.scale,
        fmt.text("fp16", v.scale), fmt.fields("fp16", v.scale))
    end,
    show = "formats",
    init = function(_, v)
      local scales = twin_scales()
      local at = v.random(1, #scales)
      while inexact({ scales[at] }) == 0 do at = at % #scales + 1 end
      v.scale = scales[at]
      screen.fmt(fmt.text("fp16", v.scale))
    end,
    ask { predict = function(_, v) return (to_bf16(v.scale)) end, format = "hex",
          text = "Work out its nearest bf16 word (sign, 8 bits of exponent with bias 127, 7 of fraction):",
          wrong = function(_, v) return v.scale end,
          hint = { "the exponent: take away 15, add 127",
                   "the fraction: keep its upper seven bits, round by the three that fall off",
                   function(_, v) return ("`:fmt %s` and look at the row bf16"):format(fmt.text("fp16", v.scale)) end },
          because = function(_, v)
            local code, _, off = to_bf16(v.scale)
            return ("As bf16: %s, which is %s. Off by %.2g of its value."):format(
              fmt.fields("bf16", code), fmt.text("bf16", code), off)
          end },
  },

  page {
    say = [[
      So bf16 could not hold that one. Which can it hold?]],
    show = "formats",
    ask { number = "How many of the lowest fraction bits of an fp16 number must be 0 for bf16 to hold it exactly?",
          answer = bits_lost, wrong = { 1, 7 },
          hint = { "10 bits against 7" } },
    ask { predict = function() return 1024 - (inexact(binade())) end,
          text = "There are 1024 fp16 numbers from 1 up to 2. How many of them does bf16 have too? (Predict; the lesson converts them all.)",
          wrong = { 1023, 512, 896 },
          mistake = function(given) if given == 896 then return "that is how many it has not" end end,
          hint = { "three bits are fixed, seven are free", "2^7" },
          because = function()
            local bad = inexact(binade())
            return ("%d of 1024 are lost: %s, which is seven in eight."):format(bad, percent(bad, 1024))
          end },
    ask { choice = "And of the numbers from 0.125 up to 0.25?",
          options = { "more of them, they are smaller", "as many", "fewer" },
          answer = function()
            local codes = {}
            for fraction = 0, 1023 do codes[fraction + 1] = 0x3000 + fraction end
            local here, there = inexact(codes), inexact(binade())
            return here == there and "as many" or here < there and "more of them, they are smaller" or "fewer"
          end,
          hint = { "does the exponent matter for the fraction?" } },
  },

  page {
    say = [[
      "Not exact" may still do no harm. How far off are these numbers? And are the twin's own 128
      scales any better than all the numbers from 1 to 2?]],
    show = "formats",
    plot = function()
      local points = {}
      for fraction = 0, 1023, 7 do
        local _, _, off = to_bf16(0x3c00 + fraction)
        points[#points + 1] = { 1 + fraction / 1024, 100 * off }
      end
      screen.plot{ title = "error of bf16 in percent, for fp16 numbers from 1 to 2", height = 6, table.unpack(points) }
    end,
    ask { predict = function() return (inexact(twin_scales())) end, tolerance = 14,
          text = "How many of the twin's 128 scales are not in bf16? (within 14)",
          wrong = { 128, 16, 64 },
          hint = { "if their last bits are as good as random: seven eighths of 128", "about 112; but 128 is not many" },
          because = function()
            local scales = twin_scales()
            local n = inexact(scales)
            return ("%d of %d: %s."):format(n, #scales, percent(n, #scales))
          end },
    ask { predict = function() return worst_error(twin_scales()) end, format = "value", tolerance = 0.05,
          text = "And how far off is the worst of them, in percent? (within 0.05)",
          wrong = { 0, 0.05, 1 },
          hint = { "bf16 has a step of 1/128 from 1 to 2, and rounds to the nearest: look at the top of the curve",
                   "half a step of 1 is 1/256 = 0.39 %; 128 numbers come near it" },
          because = function()
            return ([[%.3f %%. Every weight under that scale that is not 0 is wrong by it, all in the
              same direction.]]):format(worst_error(twin_scales()))
          end },
  },

  page {
    say = function()
      return ([[Enough percentages. What does it cost? Ask the machine. It guesses words letter by letter; the
        fewer bits it needs for a letter, the better it guesses. (Lesson 00 has shown it at work; 4.75 bits
        are dice.)

        The lesson gives it %d words that it has not seen. With the matrix w2 that was trained it needs
        %.3f bits a letter. Now w2 is replaced by the ternary twin: each weight is -1, 0 or +1 times its
        scale, rounded to Q8.8.]]):format(#unseen, bits(nil))
    end,
    show = "model", commit = true,
    init = function(m) m:configure{ preset = "repaired" } end,
    ask { predict = function() return bits(kept) end, format = "value", tolerance = 0.15,
          text = "How many bits a letter with the twin, its scales in fp16 as they came? (within 0.15)",
          wrong = { 2.3, 4.75, 3.5 },
          hint = { "16 384 weights have only three values now: it cannot get better",
                   "about a fifth of a bit more than before" },
          because = function()
            return ("%.3f: %.3f bits more. That is the price of three values. (Over all 6521 words that were kept from training: 2.6043 and 2.7831.)"):format(
              bits(kept), bits(kept) - bits(nil))
          end },
    ask { predict = function() return different(matrix(kept), matrix(as_bf16)) end, tolerance = 1000,
          text = [[Now all 128 scales go to bf16. 16 384 weights are multiplied by them and rounded to Q8.8. How
            many weights of the machine change at all? (within 1000)]], wrong = { 14336, 16384, 0 },
          mistake = function(given) if given > 10000 then return "seven in eight scales change. But a weight is rounded to 1/256: does it feel 0.4 percent?" end end,
          hint = { "a scale of 0.22 is 56/256: 0.4 percent of that is a quarter of a step",
                   "about one weight in seven" },
          because = function()
            local n = different(matrix(kept), matrix(as_bf16))
            return ("%d of 16 384: %s. Each by one step of 1/256."):format(n, percent(n, 16384))
          end,
          claim = function()
            local a, b = matrix(kept), matrix(as_bf16)
            for i, row in ipairs(a) do
              for k, word in ipairs(row) do if math.abs(word - b[i][k]) > 1 then return false, i end end
            end
            return true
          end },
    ask { predict = function() return bits(as_bf16) end, format = "value", tolerance = 0.02,
          text = "So how many bits a letter with bf16 scales? (within 0.02)", wrong = { 2.545, 3.1, 4.75 },
          hint = { function() return ("with fp16 it was %.3f"):format(bits(kept)) end },
          because = function()
            return ([[%.3f, against %.3f. Four scales in five are wrong, and the machine does not notice: six
              weights in seven are still the same, and the errors go both ways.]]):format(bits(as_bf16), bits(kept))
          end,
          claim = function() return math.abs(bits(as_bf16) - bits(kept)) < 0.01 end },
  },

  page {
    say = [[
      How rough may a scale be, then? The roughest: only powers of two, 1/8 or 1/4 here, so that a
      multiplication is a shift. There are two ways to get there: round each scale to the nearest
      power, or cut it down to the next lower one.]],
    show = "model",
    ask { choice = "Which of the two hurts?",
          options = { "neither: a scale does not matter", "the nearest power hurts more", "cutting down hurts more", "both make it as bad as dice" },
          answer = function()
            local round, cut = bits(nearest_power), bits(cut_power)
            if cut > 4 and round > 4 then return 4 end
            return cut > round + 0.05 and 3 or round > cut + 0.05 and 2 or 1
          end,
          hint = { "an error that goes both ways, or one that goes one way", "what do 128 scales do to the sum that all are too small?" },
          because = function()
            return ([[Nearest: %.3f bits. Cut down: %.3f. (fp16: %.3f.) Errors that go both ways cancel in a sum of
              256 products; errors that all go down make the whole matrix too small.]]):format(
              bits(nearest_power), bits(cut_power), bits(kept))
          end,
          claim = function() return bits(nearest_power) < bits(kept) + 0.02 and bits(cut_power) > bits(kept) + 0.15 end },
    ask { number = "And for the file: how many bytes would a tile be shorter with bf16 scales?",
          answer = function()
            return 64 * (fmt.bits("fp16") - fmt.bits("bf16")) // 8
          end, wrong = { 64, 128 },
          hint = { "16 bits and 16 bits" } },
    ask { choice = "So which of the two should be in the file?",
          options = { "bf16: the machine does not notice", "fp16: it keeps what came, and whoever loads it may round" },
          answer = function()
            for _, scale in ipairs(twin_scales()) do
              if fmt.encode("fp16", fmt.decode("fp16", scale)) ~= scale then return 1 end
            end
            return 2
          end,
          hint = { "bf16 saves no byte. What does it lose for good?" },
          because = [[This machine does not notice. Another one may. What was rounded in the file, nobody can
            undo. And now you know how to find out: not by percent, but by asking the machine.]] },
  },
}
