-- fp16 or bf16 for a scale: both have 16 bits, and seven in eight of the one are not in the other.

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

-- All 1024 fractions under one exponent; or `count` random normal numbers of either sign.
local function binade()
  local codes = {}
  for fraction = 0, 1023 do codes[fraction + 1] = 0x3c00 + fraction end
  return codes
end

local function random_codes(v, count)
  local codes = {}
  for i = 1, count do
    codes[i] = v.random(0, 1) << 15 | v.random(1, 30) << 10 | v.random(0, 1023)
  end
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

local function percent(part, all) return ("%.1f %%"):format(100 * part / all) end

return lesson {
  id = "10-scale", title = "fp16 or bf16 for a scale", minutes = 15, needs = { "09-tile" },

  page {
    say = [[
      A t2 tile keeps its scales as fp16. Somebody proposes bf16: also two bytes, and processors
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
      So that one did not survive. Which do?]],
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
      Numbers in the wild are not all the numbers from 1 to 2. Draw ten thousand at random: any
      sign, any exponent of a normal fp16 number, any fraction.]],
    init = function(_, v) v.codes = random_codes(v, 10000) end,
    ask { predict = function(_, v) return (inexact(v.codes)) end, tolerance = 150,
          text = "How many of your ten thousand will bf16 not hold? (within 150)", wrong = { 1250, 5000, 7500 },
          mistake = function(given) if given < 2500 then return "those are the ones that it holds" end end,
          hint = { "what is seven eighths of 10 000?", "8750, and chance moves it by some thirty" },
          because = function(_, v)
            local n = inexact(v.codes)
            return ("%d: %s."):format(n, percent(n, #v.codes))
          end },
    ask { predict = function() return (inexact(twin_scales())) end, tolerance = 14,
          text = [[Now the real ones: the 128 scales of the ternary twin. How many of them are not
            in bf16? (within 14)]],
          wrong = { 128, 16, 64 },
          hint = { "if their last bits are as good as random: seven eighths of 128", "about 112; but 128 is not many" },
          because = function()
            local scales = twin_scales()
            local n = inexact(scales)
            return ([[%d of %d: %s. Few draws scatter: among 128, four more or less are nothing, ten
              make one look twice. 200 million scales of a large model, measured elsewhere, gave
              87.27 %%.]]):format(n, #scales, percent(n, #scales))
          end },
  },

  page {
    say = [[
      `Not exact` may still be harmless: how far off are they?]],
    show = "formats",
    plot = function()
      local points = {}
      for fraction = 0, 1023, 7 do
        local _, _, off = to_bf16(0x3c00 + fraction)
        points[#points + 1] = { 1 + fraction / 1024, 100 * off }
      end
      screen.plot{ title = "error of bf16 in percent, for fp16 numbers from 1 to 2", height = 6, table.unpack(points) }
    end,
    ask { predict = function() return worst_error(binade()) end, format = "value", tolerance = 0.02,
          text = "The largest error from 1 to 2, in percent? (two digits behind the point)",
          wrong = { 0.78, 0.05, 3.9 },
          hint = { "bf16 has a step of 1/128 there, and rounds to the nearest", "half a step: 1/256 of 1" },
          because = function()
            local _, worst = inexact(binade())
            return ("%.4f %%: one part in %.0f."):format(100 * worst, 1 / worst)
          end },
    ask { predict = function() return worst_error(twin_scales()) end, format = "value", tolerance = 0.05,
          text = "And the largest among the twin's own scales, in percent? (within 0.05)",
          wrong = { 0, 0.05, 1 },
          hint = { "it cannot be more than the last answer, and 128 draws come near it" },
          because = function()
            return ([[%.3f %%. Every weight under that scale that is not 0 is wrong by it, all in the
              same direction.]]):format(worst_error(twin_scales()))
          end },
    ask { choice = "A scale in fp16 of 0x0011 is subnormal: 17 * 2^-24. Does bf16 hold it exactly?",
          options = { "no, like most", "yes" },
          answer = function() return select(2, to_bf16(0x0011)) and "yes" or "no, like most" end,
          hint = { "17 is 10001: how many bits of fraction does it need?",
                   "and with its exponents bf16 reaches far below 2^-24" },
          because = "That is what its exponents are for. They are only not what a scale needs." },
  },

  page {
    say = [[
      So, for a tile on disk: which of the two? One more thing to weigh. Going from fp16 to bf16
      loses bits. How about making it bf16 in the registers of a processor that likes it, and
      leaving the file alone?]],
    ask { number = "How many bytes would a tile be shorter with bf16 scales?",
          answer = function()
            return 64 * (fmt.bits("fp16") - fmt.bits("bf16")) // 8
          end, wrong = { 64, 128 },
          hint = { "16 bits and 16 bits" } },
    ask { choice = "How many of the twin's scales does an fp16 file keep exactly, as they came?",
          options = { "seven in eight", "one in eight", "all" },
          answer = function()
            for _, scale in ipairs(twin_scales()) do
              if fmt.encode("fp16", fmt.decode("fp16", scale)) ~= scale then return "seven in eight" end
            end
            return "all"
          end,
          because = [[The file keeps the exact value; whoever wants it shorter rounds when loading, and
            answers for it. What was rounded in the file, nobody can undo.]] },
  },
}
