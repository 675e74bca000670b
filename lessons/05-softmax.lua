-- Softmax by pieces: scores become shares; an exp of straight lines, what a missing pair of brackets
-- did to it, and a reciprocal instead of a division.

-- Eight scores of head 0 (values or raw words; the rest: -8.0), about to be taken by the softmax. The
-- token is told to stand at the last of eight positions, so that none is masked.
local function prepare(m, values)
  m:configure{}
  m:set("seq_pos", 7)
  m:until_("attn.state == SOFTMAX_PREP")
  for t = 0, 7 do m:set(("scores[0][%d]"):format(t), values[t + 1] or -8.0) end
end

-- And taken.
local function scores(m, values)
  prepare(m, values)
  m:until_("smax.state == FIND_MAX")
end

local function total(m)
  local sum = 0
  for t = 0, 7 do sum = sum + m.softmax.prob[t] end
  return sum
end

-- Two readings of 0x60 + (x + 0x100) >>> 1. (Lua's own >> would drop the sign.)
local function as_meant(x) return 0x60 + (x + 0x100) // 2 end
local function as_executed(x) return (0x60 + (x + 0x100)) // 2 end

-- x below which (raw, the larger first) a lower score gets more.
local function rises(mode)
  local at = {}
  for x = -1, -1100, -1 do
    if q88.exp(x - 1, mode) > q88.exp(x, mode) then at[#at + 1] = x end
  end
  return at
end

local to_exp, to_sum = "run until smax.state == SUBTRACT_EXP", "run until smax.state == SUM"
local to_recip, to_end = "run until smax.state == RECIP", "run until attn.state == SOFTMAX_STORE"

return lesson {
  id = "05-softmax", title = "Softmax by pieces", minutes = 35, needs = { "02-q88" },
  about = "Scores become shares by straight lines, and two brackets are missing.",
  setup = { max_seq_len = 8 },

  page {
    hide = "wrap",
    say = [[
      Attention gives every earlier token a score. Softmax turns scores into shares that add up to
      1: take e to the power of each score, and divide by the sum of them all.

      The softmax unit begins with the largest score and subtracts it from all. Eight scores have
      been put into it; the softmax view (3) shows them, and x there changes hex to values.]],
    show = "softmax", cursor = "softmax.x[0]",
    init = function(m, v)
      local values = {}
      for t = 1, 8 do values[t] = v.random(-12, -1) / 4 end
      v.best = v.random(1, 7)
      values[v.best + 1] = v.random(1, 6) / 4
      scores(m, values)
    end,
    ask { predict = "softmax.max", format = "value", text = "Predict softmax.max, as a value, when it has seen them all:", after = to_exp,
          wrong = function(m) return m:value("softmax.x[0]") end,
          hint = { "the softmax view, x for values", "`:get softmax.x` prints all eight; words from 8000 on are negative" } },
    ask { predict = function(m) return m:value("softmax.shifted[0]") end, format = "value", after = to_sum,
          text = "And softmax.shifted[0], which is x[0] - max?",
          wrong = function(m) return m:value("softmax.max") - m:value("softmax.x[0]") end,
          hint = { "it cannot be above 0" } },
    ask { predict = function(m, v) return m:value(("softmax.shifted[%d]"):format(v.best)) end, format = "value",
          text = "What is in `shifted` at the place of the largest?", wrong = 1,
          hint = { "the largest, minus the largest" },
          because = "So whatever the scores are, exp gets numbers of 0 and below, and gives 1 at most." },
  },

  page {
    hide = "wrap",
    say = [[
      There is no e in this machine. Its exp is made of straight lines: the first one, from -1 to 0,
      is simply 1 + x. The first score is now 0, the largest.]],
    show = "softmax",
    init = function(m, v)
      v.x = -v.random(2, 14) * 16
      scores(m, { 0, v.x })
    end,
    ask { predict = "softmax.exp[0]", format = "hex", text = "Predict softmax.exp[0], for the largest score itself (hex):",
          after = to_sum, wrong = { 0, 1 }, hint = { "1 + 0, as a Q8.8 word" } },
    ask { predict = "softmax.exp[1]", format = "value", after = function() end,
          text = function(m) return ("The second score is %g below. Predict softmax.exp[1], as a value:"):format(-m:value("softmax.shifted[1]")) end,
          wrong = function(m) return math.exp(m:value("softmax.shifted[1]")) end,
          mistake = function(given, m)
            if math.abs(given - math.exp(m:value("softmax.shifted[1]"))) < 0.02 then return "that is the true e to the x. This unit has the line 1 + x" end
          end,
          hint = { "1 + x" },
          because = function(m)
            return ("The true value is %.4f. The line is easy to make, and a little too low."):format(math.exp(m:value("softmax.shifted[1]")))
          end,
          claim = function(m) return m:value("softmax.exp[1]") < math.exp(m:value("softmax.shifted[1]")) end },
  },

  page {
    hide = "wrap",
    say = [[
      From -2 to -1 there is a second, flatter line. The author wrote a comment beside it:
      about 0.375 + 0.5 * (x + 1). At -1 that is 0.375, and e to the -1 is 0.368: very good.]],
    show = "softmax",
    init = function(m, v)
      v.x = -256 - 32 * v.random(1, 2)
      scores(m, { 0, v.x })
    end,
    ask { predict = "softmax.exp[1]", format = "hex", after = to_sum,
          text = function(m) return ("The second score is %s. Predict softmax.exp[1] (hex):"):format(m:value("softmax.x[1]")) end,
          wrong = function(_, v) return as_meant(v.x) end,
          mistake = function(given, _, v)
            if given == as_meant(v.x) then return "exactly what was meant. But it is not what comes out: Esc, then `:run until smax.state == SUM`, and look" end
          end,
          hint = { "believe the machine, not the comment: `:run until smax.state == SUM`", "then `:get softmax.exp[1]`" },
          because = function(m)
            return ("%s, where %.3f was wanted. Why?"):format(m:value("softmax.exp[1]"), math.exp(m:value("softmax.shifted[1]")))
          end,
          claim = function(m, v) return m.softmax.exp[1] ~= as_meant(v.x) end },
    ask { choice = "The code says  0x60 + (x + 0x100) >>> 1.  Which reading gives this number?",
          options = { "0x60 + ((x + 0x100) >>> 1)", "(0x60 + (x + 0x100)) >>> 1" },
          answer = function(_, v) return q88.exp(v.x) == as_executed(v.x) and 2 or 1 end,
          hint = { function(_, v) return ("x is %d. Work out both"):format(v.x) end,
                   "which is done first where there are no brackets, + or >>> ?" },
          because = "In SystemVerilog, as in C, + comes before a shift. `V` shows the line. The author thought it was the other way round: the comment says so.",
          claim = function() -- on the whole piece, apart from the floor
            for x = -350, -256 do
              if q88.exp(x) ~= as_executed(x) or q88.exp(x, "intended") ~= as_meant(x) then return false, x end
            end
            return true
          end },
  },

  page {
    hide = "wrap",
    say = "Both readings again, with a number of your own.",
    show = "softmax",
    init = function(m, v)
      v.x = -256 - v.random(3, 80)
      scores(m, { 0, v.x })
    end,
    ask { predict = "softmax.exp[1]", format = "hex", after = to_sum,
          text = function(_, v) return ("softmax.x[1] is now %d/256, the largest score 0. Predict softmax.exp[1] (hex):"):format(v.x) end,
          wrong = function(_, v) return as_meant(v.x) end,
          hint = { "add 0x60 and 0x100 first, halve last", function(_, v) return ("(%d + 352) / 2, rounded down"):format(v.x) end } },
    ask { predict = "softmax.exp[7]", format = "hex",
          text = "softmax.x[7] is -8.0: far below. e to the -8 is 0.0003. Predict softmax.exp[7] (hex):", after = function() end,
          wrong = { 0, 1 },
          mistake = function(given) if given == 0 then return "so it should be; but this exp has a floor" end end,
          hint = { "look at it in the softmax view", "the smallest it ever gives, unless the line 1 + x gives less" },
          because = "4/256, however low the score: no position ever gets nothing. Lesson 06 comes back to this.",
          claim = function() return q88.exp(-1024) == 4 and q88.exp(-32768) == 4 end },
  },

  page {
    hide = "wrap",
    say = [[
      This is the exp as it is executed, from -4 to 0, beside the true one.]],
    show = "softmax",
    init = function(m, v)
      scores(m, { 0, -255, -256 })
      v.rises = rises("executed")
    end,
    plot = function()
      local made, exact = {}, {}
      for x = -1024, 0, 4 do
        made[#made + 1] = { x / 256, q88.exp(x) / 256 }
        exact[#exact + 1] = { x / 256, math.exp(x / 256) }
      end
      screen.plot{ height = 8, width = 48, series = { made = made, true_exp = exact } }
    end,
    ask { choice = "Two scores lie just at the step: one is -255/256, the other -256/256 and so a little lower. Which gets the larger share?",
          options = { "the higher score", "the lower score", "both the same" },
          answer = function()
            local high, low = q88.exp(-255), q88.exp(-256)
            return high > low and 1 or high < low and 2 or 3
          end,
          hint = { "the curve, just left and just right of -1" } },
    ask { predict = "softmax.exp[1]", format = "int", text = "softmax.exp[1], for -255/256? (raw, decimal)", after = to_sum,
          wrong = 4, hint = { "1 + x" } },
    ask { predict = "softmax.exp[2]", format = "int", text = "softmax.exp[2], for -256/256? (raw, decimal)", after = function() end,
          wrong = 96, hint = { "the second piece, as it is executed", "(352 - 256) / 2" },
          because = function(m)
            return ("A score that is 1/256 lower gets %d times as much."):format(m.softmax.exp[2] // m.softmax.exp[1])
          end },
    ask { number = "At how many places does this exp rise when the score falls by 1/256? Count the steps of the curve from -4 to 0.",
          answer = function(_, v) return #v.rises end, wrong = 1,
          hint = { "the large one at -1; where 4/256, the floor, is more than the line gives; at -2, where the next piece begins ...",
                   function(_, v) return ("just below these raw x: %s"):format(table.concat(v.rises, ", ")) end } },
    ask { choice = "The parameter `exp=intended` puts the brackets where they were meant. Does the order then hold everywhere?",
          options = { "yes", "no" },
          answer = function() return #rises("intended") == 0 and 1 or 2 end,
          hint = { "what does the first line give just above -1, and the second at -1?", "0 and 0.375" },
          because = function()
            return ("No: the first line comes down to 0, the second begins at 0.375. With the brackets the step at -1 is from %d/256 to %d/256, even larger."):format(
              q88.exp(-255, "intended"), q88.exp(-256, "intended"))
          end,
          claim = function() return q88.exp(-256, "intended") > q88.exp(-256) and q88.exp(-256, "intended") == 0x60 end },
  },

  page {
    hide = "wrap",
    say = [[
      Now use it. Eight scores are ready in scores[0][0] to scores[0][7], all but the first far down.
      The softmax takes them with the next clock.]],
    show = "softmax",
    init = function(m) prepare(m, { 2.0 }) end,
    task = [[Set scores[0][1] and scores[0][2] so that the first of them is the higher score, and still
      gets the smaller share. Then run until the shares are there: `:run until attn.state ==
      SOFTMAX_STORE`.]],
    check = function(m)
      if m.attn.state ~= "SOFTMAX_STORE" then return false, "the attention is in " .. m.attn.state end
      local why = ("score 1 is %s and has 0x%s, score 2 is %s and has 0x%s"):format(m:value("softmax.x[1]"), m:hex("softmax.prob[1]"),
        m:value("softmax.x[2]"), m:hex("softmax.prob[2]"))
      return m.softmax.x[1] > m.softmax.x[2] and m.softmax.prob[1] < m.softmax.prob[2], why
    end,
    auto = function(m)
      m:set("scores[0][1]", 2.0 - 0.9)
      m:set("scores[0][2]", 2.0 - 1.0)
      m:cmd(to_end)
    end,
    hint = { "the largest is 2.0: one a little less than 1 below it, the other a little more", "`:set scores[0][1] 1.05`, `:set scores[0][2] 1.0`" },
    because = "Whoever reads these shares picks the worse token. An exp should keep the order of the scores. Test it where its pieces meet.",
  },

  page {
    hide = "wrap",
    say = [[
      What is left is to divide by the sum, without a divider. The unit makes recip = 65536 / sum
      once, by a table as layer norm does, and multiplies every exp by it. Here are eight equal
      scores.]],
    show = "softmax",
    init = function(m, v)
      local x = v.random(-4, 4) / 2
      scores(m, { x, x, x, x, x, x, x, x })
    end,
    ask { predict = "softmax.sum", format = "hex", text = "Predict softmax.sum (hex):", after = to_recip,
          wrong = { 0x0100 }, hint = { "each exp is 1.0", "8 * 0x0100" } },
    ask { predict = "softmax.recip", format = "hex", text = "And softmax.recip (hex)?", after = "step",
          hint = { "0x10000 / 0x0800" } },
    ask { predict = total, format = "hex", after = to_end,
          text = "Each share is exp * recip. What do all eight shares add up to? (hex)", wrong = { 0x00fe, 0x00ff },
          hint = { "each is 0x0100 * recip, shifted right by 8", "a sum of eight equal numbers is a multiple of 8" },
          because = "Exactly 1.0. (A test of this design once wrote down 0x00fe, which cannot even be a sum of eight equal numbers.)",
          claim = function(m) return total(m) == 0x100 and 0xfe % 8 ~= 0 end },
  },

  page {
    hide = "wrap",
    say = "And three equal ones, the other five far down.",
    show = "softmax",
    init = function(m) scores(m, { 1.0, 1.0, 1.0 }) end,
    ask { predict = "softmax.sum", format = "int", text = "Predict softmax.sum (raw, decimal):", after = to_recip,
          wrong = 768, hint = { "three times 256, and then five that are never quite 0", "3 * 256 + 5 * 4" } },
    ask { choice = "Will the eight shares add up to 1.0 (0x0100)?",
          options = { "exactly", "a little less", "a little more" },
          answer = function(m)
            local mark = m:mark()
            scores(m, { 1.0, 1.0, 1.0 })
            m:cmd(to_end)
            local sum = total(m)
            m:restore(mark)
            return sum == 256 and 1 or sum < 256 and 2 or 3
          end,
          hint = { "recip is rounded down, and so is every product" } },
    ask { predict = "softmax.prob[0]", format = "hex", text = "Which share does the first get? (hex; a third would be 0x0055)", after = to_end,
          wrong = 0x0055, hint = { "65536 / sum, whole part", "fp_mul(0x0100, recip) is recip" },
          because = function(m)
            return ("0x%s: the floor has taken %d/256 from the three, and rounding down the rest. All shares together are %d/256."):format(
              m:hex("softmax.prob[0]"), m.softmax.prob[3] * 5, total(m))
          end },
  },
}
