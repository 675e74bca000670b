-- Layer norm without a divider: the mean by a shift, the root by a table and one Newton step, and the
-- inputs for which it stops normalising.

local small = { d_model = 8, n_heads = 2, d_ff = 16, max_seq_len = 8 }

-- A token of eight numbers at the pins, the machine before its first clock.
local function token(m, words)
  m:configure{}
  for i = 0, 7 do m:set(("token_emb[%d]"):format(i), words[i + 1]) end
end

local function swing(m, x)
  token(m, { x, -x, x, -x, x, -x, x, -x })
end

local to_variance, to_normalize = "run until ln1.state == VARIANCE", "run until ln1.state == NORMALIZE"
local to_end = "run until ln1.valid == 1"

-- Stand in the clock that commits var and inv_std, with a sum that makes their input x (raw).
local function root_of(m, x)
  m:configure{}
  m:until_("ln1.state == VARIANCE and ln1.i == 8")
  m:set("ln1.acc", (x - 1) * 8)
end

local function root_error(x)
  local exact = 256 / math.sqrt(x / 256)
  return 100 * math.abs(q88.inv_sqrt(x) - exact) / exact
end

return lesson {
  id = "04-layer-norm", title = "Layer norm without a divider", minutes = 35, needs = { "02-q88" },
  about = "Mean and root without dividing; and numbers so loud that it stops working.",
  setup = small,

  page {
    say = [[
      Layer norm brings numbers to one size: it subtracts their mean, and divides by their spread (how
      far they lie from the mean). The mean is a sum divided by how many there are. But this machine
      has no divider: dividers are large and slow. Here is a small one, with eight numbers in a token.]],
    show = "vectors", cursor = "token_emb[0]",
    init = function(m, v)
      local words, sum = {}, 0
      for i = 1, 7 do
        words[i] = v.random(-300, 300)
        sum = sum + words[i]
      end
      words[8] = 8 * v.random(20, 60) - sum
      token(m, words)
      local here = m:mark()
      m:until_("ln1.state == MEAN and ln1.i == 8")
      v.sum = m.ln1.acc
      m:step()
      v.mean = m.ln1.mean
      m:restore(here)
    end,
    ask { predict = "ln1.acc", text = "After the pass MEAN has gone over all eight, what is in its sum, ln1.acc? (raw, in decimal: all words are in the vectors view)",
          format = "int", after = "run until ln1.state == MEAN and ln1.i == 8",
          hint = { "`:run until ln1.state == MEAN and ln1.i == 8`, then `:get ln1.acc`" } },
    ask { predict = "ln1.mean", text = "And the mean, one clock later? (raw, in decimal)", format = "int", after = "step",
          wrong = function(m) return m.ln1.acc end,
          hint = { "the sum divided by eight" } },
    ask { choice = "One clock, and no divider. How?",
          options = { "it subtracts 8 again and again", "it shifts the sum right by 3 bits", "it looks the quotient up in a table" },
          answer = function(_, v) return v.sum >> 3 == v.mean and 2 or 1 end,
          hint = { "8 is 2 * 2 * 2", "what does dropping a binary digit do?" } },
    ask { choice = "Then which of these numbers of elements will the machine refuse?",
          options = { "16", "48", "64" },
          answer = function()
            for i, d in ipairs({ 16, 48, 64 }) do
              if not pcall(machine.create, { d_model = d }) then return i end
            end
          end,
          hint = { "`:config d_model=16` tries it", "shifts divide by powers of two" },
          because = "The lesson has tried all three. `:config d_model=48` says why.",
          claim = function() return pcall(machine.create, { d_model = 16 }) and pcall(machine.create, { d_model = 64 }) end },
  },

  page {
    say = [[
      A shift is not quite a division. Seven of these numbers are 0, and the last is -1/256, one
      step below 0. The exact mean is -1/2048.]],
    show = "vectors",
    init = function(m) token(m, { 0, 0, 0, 0, 0, 0, 0, -1 }) end,
    ask { predict = "ln1.mean", format = "hex", text = "Predict ln1.mean (hex):", after = to_variance, wrong = 0,
          mistake = function(given) if given == 0 then return "that would be rounding. A shift throws bits away" end end,
          hint = { "lesson 02, the last edge: which way does a shift go below 0?", "-1 shifted right is -1" } },
    ask { predict = "ln1.centered[0]", format = "hex", after = to_normalize,
          text = "So what becomes of the first number, which was exactly 0, when the mean is subtracted? (hex)",
          wrong = { 0, 0xffff },
          hint = { "0 - (-1/256)" },
          because = "One step off. That is small, but a shift is always wrong in the same direction.",
          claim = function(m) return m.ln1.centered[0] == 1 and 1 >> 3 == 0 end },
  },

  page {
    say = function(_, v)
      return ([[Now the spread. The numbers are x, -x, x, -x ... with x = %g, so the mean is 0. VARIANCE
        adds up the squares and divides by eight with the same shift.]]):format(v.x)
    end,
    show = "vectors", cursor = "ln1.centered[0]",
    init = function(m, v)
      v.x = v.random(5, 20) / 4
      swing(m, v.x)
    end,
    ask { predict = "ln1.var", format = "value", text = "Predict ln1.var, as a value:", after = to_normalize,
          wrong = function(_, v) return v.x end,
          hint = { "every square is the same: what is the mean of eight equal numbers?", function(_, v) return ("%g * %g"):format(v.x, v.x) end } },
    ask { predict = "ln1.inv_std", format = "value", tolerance = 0.01,
          text = "In the same clock it finds 1/sqrt(var), to multiply by later. About which value is that? (to 0.01)",
          after = function() end,
          hint = { "the root of a square", function(_, v) return ("1 / %g"):format(v.x) end },
          because = function(m) return ("It is %s, raw 0x%s."):format(m:value("ln1.inv_std"), m:hex("ln1.inv_std")) end },
    ask { predict = "ln1_out[0]", format = "value", tolerance = 0.07,
          text = "gamma is 1 and beta is 0. About what comes out at ln1_out[0]?", after = to_end,
          wrong = function(_, v) return v.x end,
          hint = { "x divided by the spread, which is x" },
          because = function(m)
            return ("%s and %s, in turn: nearly 1 and -1, whatever x was. That is normalising. (Why not quite 1: soon.)"):format(
              m:value("ln1_out[0]"), m:value("ln1_out[1]"))
          end,
          claim = function(m) return math.abs(m.ln1_out[0] - 256) < 18 and m.ln1_out[0] ~= 256 end },
  },

  page {
    say = function(_, v)
      return ([[How does it find 1/sqrt without dividing? You need not know yet to see something. The
        lesson has made the machine's input x = 0x%s, and the clock that finds 1/sqrt(x) gave 0x%s.
        Now x is four times as large, and that clock is the next.]]):format(q88.hex(v.x), q88.hex(v.before))
    end,
    show = "decoder",
    init = function(m, v)
      v.x = v.random(70, 2000)
      root_of(m, v.x)
      m:step()
      v.before = m.ln1.inv_std
      root_of(m, 4 * v.x)
    end,
    ask { predict = "ln1.inv_std", format = "hex", text = "Predict ln1.inv_std after the clock, exactly (hex):",
          after = "step", wrong = function(_, v) return v.before >> 2 end,
          mistake = function(given, _, v)
            if given == v.before >> 2 then return "that is a quarter. What is the root of four?" end
          end,
          hint = { "1/sqrt(4x) = 1/sqrt(x) / 2", "half of it, by a shift" } },
    ask { number = "For how many of the inputs x from 2 to 8191 is it not exactly so? (A guess: many, few, none?)",
          answer = function()
            local n = 0
            for x = 2, 8191 do
              if q88.inv_sqrt(4 * x) ~= q88.inv_sqrt(x) >> 1 then n = n + 1 end
            end
            return n
          end,
          wrong = { 1, 100 },
          hint = { "if it only ever worked out the root for a small range, and shifted the rest ...", "none" },
          because = [[So the work is done for one range of numbers only. The unit shifts x until its top
            bit is 1, and counts the zeros in front. It takes a first guess from a table with 32
            entries. It makes the guess better by one step of Newton's method, which only multiplies.
            Then it shifts back. That last shift is all that is different between x and 4x.]] },
  },

  page {
    say = [[
      How good is a guess from 32 entries, made better once? The curve shows the error of 1/sqrt(x) in
      percent, for x from 1/128 to 128: 0 stands for x = 1, 1 for 2, 2 for 4, and so on.]],
    init = function(m) m:configure{} end,
    plot = function()
      local points = {}
      for step = 10, 150 do -- ten to an octave
        local x = math.min(math.floor(2 ^ (step / 10)), 32767)
        points[#points + 1] = { math.log(x, 2) - 8, root_error(x) }
      end
      screen.plot{ title = "error in percent, over log2 x", height = 7, width = 45, table.unpack(points) }
    end,
    ask { choice = "Where is it worst?", options = { "for small x", "in the middle", "for large x" },
          answer = function()
            local worst = { 0, 0, 0 }
            for part, range in ipairs({ { 2, 32 }, { 33, 1024 }, { 1025, 32767 } }) do
              for x = range[1], range[2], math.max(1, range[2] // 600) do
                worst[part] = math.max(worst[part], root_error(x))
              end
            end
            local at = 1
            for part = 2, 3 do if worst[part] > worst[at] then at = part end end
            return at
          end,
          hint = { "look at the curve" } },
    ask { number = "How many different results does the unit have for all x from 64.0 to 127.996?",
          answer = function()
            local seen, n = {}, 0
            for x = 64 * 256, 32767, 7 do
              local y = q88.inv_sqrt(x)
              if not seen[y] then seen[y], n = true, n + 1 end
            end
            return n
          end,
          wrong = { 32, 64, 16384 },
          hint = { "1/sqrt(64) is 1/8. What is that in steps of 1/256?",
                   function() return ("from 0x%s down to 0x%s"):format(q88.hex(q88.inv_sqrt(64 * 256)), q88.hex(q88.inv_sqrt(32767))) end },
          because = [[So it is not the fault of the table. The result is so small that Q8.8 has only a few
            words for it.]] },
  },

  page {
    say = [[
      What if there is no spread at all? All eight numbers are the same, and 1/sqrt(0) is no number.
      The unit adds 1/256 to the variance first.]],
    show = "vectors",
    init = function(m, v)
      local x = v.random(100, 3000)
      token(m, { x, x, x, x, x, x, x, x })
    end,
    ask { predict = "ln1.inv_std", format = "value", text = "Predict ln1.inv_std, as a value:", after = to_normalize,
          wrong = { 1, 256 },
          hint = { "1/sqrt(1/256)", "the root of 256" } },
    ask { predict = "ln1_out[0]", format = "hex", text = "And ln1_out[0]? (hex)", after = to_end, wrong = 0x1000,
          hint = { "what is left of a number when the mean is subtracted?" } },
    ask { choice = "Is the result right because of the added 1/256?",
          options = { "yes: without it the result would be wrong", "no: the result would be 0 all the same" },
          answer = function() return q88.mul(0, q88.inv_sqrt(0)) == q88.mul(0, q88.inv_sqrt(1)) and 2 or 1 end,
          hint = { "`:q88.inv_sqrt(0)` in the console says what the unit makes of 0", "0 times anything" },
          because = function()
            return ("For an input of 0 or less the unit answers %s, whatever it is. Remember that."):format(q88.value(q88.inv_sqrt(0)))
          end },
  },

  page {
    hide = "wrap",
    say = [[
      Now a loud token: 12, -12, 12, -12 ... Q8.8 can hold each of these numbers easily. Normalised,
      they should again be 1 and -1.]],
    show = "vectors", cursor = "ln1.centered[0]",
    init = function(m) swing(m, 12.0) end,
    ask { predict = "ln1.var", format = "value", text = "Predict ln1.var, as a value:", after = to_normalize,
          wrong = { 144, 127.99609375, 12 },
          mistake = function(given) if given == 144 then return "144 is not a Q8.8 number" end end,
          hint = { "144 does not fit: the multiplier keeps the low 16 bits", "144 - 256" } },
    ask { predict = "ln1.inv_std", format = "value", text = "And ln1.inv_std, from that negative number?", after = function() end,
          hint = { "the page before: what does the unit answer to an input of 0 or less?" } },
    ask { predict = "ln1_out[0]", format = "value", text = "So what comes out at ln1_out[0]?", after = to_end, wrong = 1,
          hint = { "12 times that" },
          because = "Not normalised at all: it comes out as loud as it went in. Now guess what happens to 16.",
          claim = function(m) return m.ln1_out[0] == 12 * 256 and m.ln1.var < 0 end },
  },

  page {
    hide = "wrap",
    say = "16, -16, 16, -16 ... Lesson 02 has shown what 16.0 * 16.0 is.",
    show = "vectors", cursor = "ln1.centered[0]",
    init = function(m) swing(m, 16.0) end,
    ask { predict = "ln1.inv_std", format = "value", text = "Predict ln1.inv_std, as a value:", after = to_normalize,
          wrong = { 1, 0.0625 },
          hint = { "256.0 in 16 bits is 0", "so the variance is 0, and the unit adds 1/256" } },
    ask { predict = "ln1_out[0]", format = "value", text = "And ln1_out[0]?", after = to_end, wrong = { 1, 256 },
          hint = { "16 times that ... in 16 bits" },
          because = "The loudest token comes out as nothing at all.",
          claim = function(m) return m.ln1_out[0] == 0 and m.ln1_out[1] == 0 end },
    task = [[Which is the loudest swing of whole numbers, x, -x, x, -x ..., that is still normalised?
      Put it at the pins in cycle 0 and go to where ln1.state is NORMALIZE. One console line does it:
      `for i = 0, 7 do m.token_emb[i] = i % 2 == 0 and 3.0 or -3.0 end`]],
    check = function(m)
      local c = m.ln1.centered[0]
      if m.ln1.state ~= "NORMALIZE" then return false, "layer norm 1 is in " .. m.ln1.state end
      for i = 0, 7 do
        if m.ln1.centered[i] ~= (i % 2 == 0 and c or -c) then return false, "that is no swing x, -x, x, -x" end
      end
      if m.ln1.var <= 0 or c % 256 ~= 0 then
        return false, ("for %s ln1.var is %s"):format(m:value("ln1.centered[0]"), m:value("ln1.var"))
      end
      local louder = math.abs(c) + 256
      return q88.mul(louder, louder) < 0, ("%s is normalised, but so is the next"):format(m:value("ln1.centered[0]"))
    end,
    auto = function(m) swing(m, 11.0) m:until_("ln1.state == NORMALIZE") end,
    hint = { "0 first, to stand in cycle 0; then the line; then `:run until ln1.state == NORMALIZE`",
             "its square must stay below 128" },
  },
}
