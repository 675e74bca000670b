-- Counting cycles: measure first, then judge the deck's table. It fits a machine: which one?

local function clocks_in(m, state)
  m:goto_(0)
  m:until_("top.state == " .. state)
  local first = m.cycle
  m:to_state(1)
  return m.cycle - first
end

local function ratio(row) return math.max(row.deck / row.measured, row.measured / row.deck) end

-- The stage of `names` that the deck's estimate misses by the largest (sign 1) or smallest factor.
local function worst_stage(count, names, sign)
  local best
  for _, name in ipairs(names) do
    if not best or sign * ratio(count[name]) > sign * ratio(count[best]) then best = name end
  end
  return best
end

local stages = { "ln1", "softmax", "out_proj", "ffn_linear2" }

local function ffn_share(count, column)
  local sum = count.ffn_linear1[column] + count.relu[column] + count.ffn_linear2[column]
  return 100 * sum / count[column]
end

local function thousandths(value) return math.floor(1000 * value + 0.5) / 1000 end

local function near(value) return ("%.1f"):format(value) end

-- A count at these parameters that is not asked for twice.
local known = {}
local function count(d_model, variant, pos)
  local key = d_model .. variant .. pos
  known[key] = known[key] or cycles.count{ d_model = d_model, d_ff = 4 * d_model, variant = variant, pos = pos }
  return known[key]
end

return lesson {
  id = "08-cycles", title = "Counting cycles", minutes = 25,
  about = "How long a token takes: your bet, then the machine, then the deck's table.", needs = { "01-token", "07-kv-cache" },

  page {
    hide = "deck",
    say = [[
      How long does a token take? One can count multiplications, and guess. Or one can let the
      machine work, and look at the cycle counter. Let us guess first.

      The feed forward has two matrices, 64 x 256 and 256 x 64.]],
    show = "decoder",
    init = function(m) m:configure{} end,
    ask { number = "How many multiplications does the first matrix take?",
          answer = function(m) return m.config.d_model * m.config.d_ff end, wrong = { 256, 320 },
          hint = { "each output needs one for each input", "64 * 256" } },
    ask { predict = function(m) return clocks_in(m, "FFN_WAIT") end,
          text = [[The deck's table says about 16 400 cycles for the whole feed forward. Predict how
            many clocks the machine stays in FFN_WAIT:]],
          wrong = { 16384, 16400, 32768 },
          mistake = function(given)
            if given >= 16000 then return "one multiplication a clock? Go to FFN_WAIT and see what ffn.i counts" end
          end,
          hint = { "n until FFN_WAIT, note the cycle; n once more",
                   "`:run until ffn.state == LINEAR1`, then step: a whole hidden element each clock",
                   "257 + 1 + 65, one to begin and one to end" },
          because = [[It makes a whole output in one clock: 64 products side by side, 256 times; then 256
            products side by side, 64 times.]] },
  },

  page {
    hide = "deck",
    say = function()
      local c = cycles.count{ pos = 64 }
      return ([[The deck has such a number for every stage. These four are for a token at position 64:

        ln1 (layer norm 1) %d, softmax %d, out_proj (a matrix of 64 x 64) %d, ffn_linear2 (256 x 64) %d.

        View 9 will compare them with the machine. Do not look yet: first your bet. You know how long
        layer norm takes (lesson 00), and how the machine makes a row of a matrix.]]):format(
        c.ln1.deck, c.softmax.deck, c.out_proj.deck, c.ffn_linear2.deck)
    end,
    show = "decoder", commit = true,
    ask { predict = function() return cycles.count{ pos = 64 }.out_proj.measured end, tolerance = 8,
          text = "How many clocks does the machine need for out_proj? (within 8)",
          wrong = { 4096, 4160, 1 },
          mistake = function(given) if given > 4000 then return "a product a clock? A whole row of products is one clock" end end,
          hint = { "64 outputs, each made of 64 products side by side", "one clock for each output" },
          because = function() return ("It is %d."):format(cycles.count{ pos = 64 }.out_proj.measured) end },
    ask { choice = "Which of the four does the deck miss by the largest factor?", options = stages,
          answer = function() return worst_stage(cycles.count{ pos = 64 }, stages, 1) end,
          hint = { "the deck counts a clock for each product; the machine makes a whole output in one clock",
                   "where is an output made of the most products?" },
          because = function()
            local row = cycles.count{ pos = 64 }.ffn_linear2
            return ("%d where the machine needs %d: %s times."):format(row.deck, row.measured, near(ratio(row)))
          end },
    ask { choice = "And to which does it come nearest?", options = stages,
          answer = function() return worst_stage(cycles.count{ pos = 64 }, stages, -1) end,
          hint = { "which stage goes over its numbers one by one in the machine too?",
                   "layer norm took 197 clocks, and its start" },
          because = function()
            local row = cycles.count{ pos = 64 }[worst_stage(cycles.count{ pos = 64 }, stages, -1)]
            return ("%d, and the machine needs %d."):format(row.deck, row.measured)
          end },
    ask { predict = function() return cycles.count{ pos = 64 }.measured end,
          text = "Predict what the machine really takes at position 64, in cycles. (You know position 0: 2953, and what a position costs.)",
          wrong = { 2953, 24000, 48448 },
          hint = { "each position costs a score for each of four heads", "2953 + 4 * 64" },
          because = function()
            return ("%.3f ms: about nine thousand tokens a second."):format(
              1000 * cycles.seconds(cycles.count{ pos = 64 }.measured))
          end },
  },

  page {
    say = [[
      Now look. View 9 puts three counts side by side: measured by stepping the machine, by a formula,
      and as the deck has it. The column `off` is the factor between the first and the last. Move its
      slider `pos` to 64.]],
    show = "cycles",
    ask { number = "How many cycles has the deck in total, at position 64? (The column `the deck`)",
          answer = function() return cycles.count{ pos = 64 }.deck end,
          wrong = function() return cycles.count{ pos = 0 }.deck end,
          mistake = function(given)
            if given == cycles.count{ pos = 0 }.deck then return "that is position 0" end
          end,
          hint = { "the line `total`, with pos at 64" },
          because = [[The deck's text says about 24 000, for the same position. So its text and its table do
            not agree. And the text goes on: 24 000 cycles at 29.2 MHz are 1.2 ms, 830 tokens a
            second.]] },
    ask { number = "How many milliseconds are 24 000 cycles at 29.2 MHz?", format = "value",
          tolerance = 0.006, answer = function() return thousandths(1000 * cycles.seconds(24000)) end, wrong = { 1.2 },
          mistake = function(given)
            if given == 1.2 then return "divide: 24 000 by 29 200 000" end
          end,
          hint = { "24 000 / 29 200 000 seconds" },
          because = function()
            return ("%.2f ms, or %d tokens a second. (1.2 ms would be a clock of 20 MHz.)"):format(
              1000 * cycles.seconds(24000), 1 / cycles.seconds(24000) // 1)
          end },
  },

  page {
    say = function()
      local c = cycles.count{ pos = 64 }
      return ([[Where do they go, then? Of the %d cycles at position 64 the softmax has %d: %d percent.]]):format(
        c.measured, c.softmax.measured, 100 * c.softmax.measured // c.measured)
    end,
    show = "cycles",
    init = function(m) m:configure{} end,
    ask { predict = "smax.i", format = "int",
          text = [[At position 0 there is one score to look at. The machine runs to the last clock
            that the first softmax spends in FIND_MAX. Which index has it reached there?]],
          after = { "run until smax.state == SUBTRACT_EXP", "back" },
          wrong = { 0, 1, 64 },
          mistake = function() return "so it should be. Esc, then 3, and watch it" end,
          hint = { "does it know which position it is for?", "it stops when it has seen max_seq_len entries" } },
    ask { predict = function(m)
            m:goto_(0)
            m:until_("smax.state == FIND_MAX")
            local first = m.cycle
            m:until_("smax.state == SUBTRACT_EXP")
            return m.cycle - first
          end,
          text = "How many clocks was it in FIND_MAX, for that one score?", wrong = { 1, 0, 64 },
          hint = { "does it know the position?", "it goes over all max_seq_len entries" },
          because = [[It goes over all 128, and 127 of them are masked. Four passes of that, for four heads:
            most of a token's time goes into positions that are not there.]] },
    task = [[Make a token at position 0 take fewer than 1500 cycles, with d_model, d_ff and n_heads as
      they are. (`:config KEY=VALUE` changes a parameter and begins again.)]],
    check = function(m)
      local c = m.config
      if c.d_model ~= 64 or c.d_ff ~= 256 or c.n_heads ~= 4 then
        return false, "d_model 64, d_ff 256 and n_heads 4 are to stay"
      end
      local measured = cycles.count{ max_seq_len = c.max_seq_len, variant = c.variant }.measured
      return measured < 1500, ("with max_seq_len %d it takes %d"):format(c.max_seq_len, measured)
    end,
    auto = function(m) m:configure{ max_seq_len = 32 } end,
    hint = { "what does the softmax go over?", "max_seq_len: 32 will do" },
    because = function(m)
      return ("%d clocks. The price: no more than %d tokens."):format(
        cycles.count{ max_seq_len = m.config.max_seq_len }.measured, m.config.max_seq_len)
    end,
  },

  page {
    say = [[
      The deck has a second machine, `stream`. It has few multipliers and far fewer registers, and reads
      one word of each memory a clock. So it needs more cycles: three to five times as many, says the
      deck.]],
    show = "cycles", set = { max_seq_len = 128 },
    ask { predict = function()
            return math.floor(count(64, "stream", 0).measured / count(64, "bridge", 0).measured + 0.5)
          end,
          text = "Predict: how many times as many cycles does stream need at position 0? (whole number)",
          wrong = { 3, 4, 5 },
          mistake = function() return "estimate its feed forward alone: 2 * 64 * 256 words, one a clock" end,
          hint = { "the feed forward reads 32 768 words, the four projections 16 384 more (q, k and v at once: 8192)",
                   "about 45 000 against 2953" },
          because = function()
            return ("%d against %d cycles: %s times."):format(count(64, "stream", 0).measured,
              count(64, "bridge", 0).measured, near(count(64, "stream", 0).measured / count(64, "bridge", 0).measured))
          end },
    ask { number = [[Move the slider `variant` to stream, pos to 64. How many cycles does its
            ffn_linear1 take?]],
          answer = function() return count(64, "stream", 64).ffn_linear1.measured end,
          hint = { "the column `measured`", "256 * (64 + 3)" } },
    ask { choice = "Look at the three columns again. Which machine do the deck's numbers fit?",
          options = { "bridge", "stream", "neither: it fits no stage of either" },
          answer = function()
            local c = { bridge = count(64, "bridge", 64), stream = count(64, "stream", 64) }
            local function off(row) return math.max(row.deck / row.measured, row.measured / row.deck) end
            return off(c.stream) < off(c.bridge) and "stream" or "bridge"
          end,
          hint = { "compare the totals, then out_proj and the feed forward" },
          because = function()
            local c = count(64, "stream", 64)
            return ([[%d against its %d: a machine with one multiplier for each product, one word a
              clock. The estimate is not so wrong. It belongs to the other machine.]]):format(c.measured, c.deck)
          end },
  },

  page {
    say = [[
      The deck's last claim: the larger d_model, the larger the share of the feed forward (FFN) in the
      cycles. Drawn below for d_ff = 4 d_model at position 0: its share in percent; 3 stands for
      d_model 8, 4 for 16, up to 7 for 128. One curve is the machine you stepped, the other stream.]],
    plot = function()
      local series = { bridge = {}, stream = {} }
      for log = 3, 7 do
        for name, points in pairs(series) do
          points[#points + 1] = { log, ffn_share(count(2 ^ log // 1 | 0, name, 0), "measured") }
        end
      end
      screen.plot{ title = "share of the FFN, %", height = 6, series = series }
    end,
    ask { choice = "Does it climb?", options = { "in both", "in bridge only", "in stream only", "in neither" },
          answer = function()
            local function climbs(name)
              return ffn_share(count(128, name, 0), "measured") > ffn_share(count(16, name, 0), "measured") + 1
            end
            return climbs("bridge") and climbs("stream") and "in both" or climbs("bridge") and "in bridge only"
              or climbs("stream") and "in stream only" or "in neither"
          end },
    ask { predict = function() return math.floor(ffn_share(count(256, "bridge", 0), "measured") + 0.5) end,
          text = "Predict the share in bridge at d_model 256, in whole percent:", tolerance = 4,
          wrong = { 44, 66, 84 },
          hint = { "it goes up by about six percent for each doubling, and ever slower",
                   "17 % at 128: a bit more than 20 at 256" },
          because = function()
            return ([[%s %%. In a machine where a whole row is one clock, the feed forward takes
              5 * d_model clocks: it grows like the rest, not like a square. In stream it stands at
              %s %% by 128 already.]]):format(
              near(ffn_share(count(256, "bridge", 0), "measured")),
              near(ffn_share(count(128, "stream", 0), "measured")))
          end },
    ask { choice = "What is the safest way to know the cycles of a machine?",
          options = { "multiply out its matrices", "let it work, and count", "read the slides" },
          answer = "let it work, and count",
          because = function()
            local agree, all = 0, cycles.count{ pos = 64 }.stages
            for _, row in ipairs(all) do agree = agree + (row.measured == row.formula and 1 or 0) end
            return ([[And then to compare: at position 64 the formula agrees with the measurement in %d
              of %d stages. That is how one comes to trust a formula.]]):format(agree, #all)
          end },
  },
}
