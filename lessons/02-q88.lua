-- Q8.8: what a 16-bit word can hold, and what the machine does at the edges.

-- The attention's first score is narrow(q . K) * score_scale: a multiplier to try numbers on.
local function multiplier(m, a, b)
  m:configure{}
  m:until_("attn.state == SCORE")
  for d = 1, 15 do m:set(("q[%d]"):format(d), 0) end
  m:set("q[0]", a)
  m:set("K[0][0]", b)
end

return lesson {
  id = "02-q88", title = "Q8.8", minutes = 20,
  about = "What a word of 16 bits can hold, and what happens at its edges.", needs = { "00-keys" },

  page {
    say = [[
      0.5898 is what the deck's test printed. But the machine has no decimal point: it holds 16-bit
      words. In Q8.8 a word stands for its integer divided by 256, so 0x0100 is 1.0 and 0x0080 is
      0.5.]],
    show = "formats", set = { value = 0.5898 },
    ask { number = "Which raw word lies nearest to 0.5898? (in hex)", format = "word",
          answer = function() return fmt.encode("q8.8", "0.5898") end, wrong = { 0x96, 0x98 },
          mistake = function(given)
            if given == 0x96 then return "0x0096 is 0.5859: 0.5898 * 256 is nearly 151, not 150" end
          end,
          hint = { "multiply by 256", "0.5898 * 256 = 150.99: round to the nearest, then to hex" },
          because = function()
            return ("So the machine never held 0.5898. It held %s."):format(fmt.text("q8.8", 0x97))
          end },
  },

  page {
    say = [[
      Let the machine compute it: the deck's own test, 2953 clocks. Its result is in out_emb.]],
    show = "vectors", cursor = "out_emb[0]", init = function(m) m:configure{} end,
    ask { predict = "out_emb[0]", text = "Predict the word in out_emb[0]:", format = "hex",
          after = "run until valid == 1",
          hint = { "the deck printed 0.5898 for it" } },
    ask { predict = "out_emb[1]", text = [[Its neighbour is -0.5039 in the deck. Negative words are
            two's complement: 0xffff is -1/256, 0xff00 is -1.0. Predict the word in out_emb[1]:]],
          format = "word", after = function() end, wrong = { 0x0081, 0x8081, 0xff80 },
          hint = { "0.5039 * 256 = 129", "0x10000 - 129" },
          mistake = function(given)
            if given == 0x8081 then return "that would be a sign bit beside a magnitude: two's complement counts down from 0x10000" end
          end },
  },

  page {
    say = "A word of your own, to be read the other way round.",
    init = function(m, v)
      v.raw = -v.random(257, 4000)
      m:configure{}
      m:set("token_emb[0]", v.raw)
    end,
    ask { number = function(_, v) return ("token_emb[0] now holds %s. Which value is that? (decimal)"):format(q88.hex(v.raw)) end,
          format = "decimal", tolerance = 0.002,
          answer = function(_, v) return q88.value(v.raw) end,
          wrong = function(_, v) return -q88.value(v.raw) end,
          hint = { "negative: subtract 0x10000 first, then divide by 256",
                   function(_, v) return ("0x%s - 0x10000 = %d"):format(q88.hex(v.raw), v.raw) end },
          because = function(_, v) return ("Exactly %s."):format(fmt.text("q8.8", v.raw & 0xffff)) end },
  },

  page {
    say = [[
      How fine is it, and how far does it reach? One step is 1/256. The largest word is 0x7fff, the
      smallest 0x8000.]],
    show = "formats",
    ask { number = "Which word does 0.0001 become?", format = "word",
          answer = function() return fmt.encode("q8.8", "1e-4") end,
          hint = { "0.0001 * 256 = 0.0256" },
          because = function()
            local code = fmt.encode("q8.8", "0.002")
            return ("Everything nearer to 0 than half a step becomes 0. 0.002 is just far enough: it becomes %s."):format(
              fmt.text("q8.8", code))
          end },
    ask { number = "And the largest value? (decimal)", format = "decimal", tolerance = 0.0005,
          answer = function() return fmt.decode("q8.8", 0x7fff) end, wrong = { 128, 127, 255 },
          hint = { "0x7fff is 32767", "32767 / 256" } },
    ask { number = [[200 does not fit. An adder that simply drops the carry keeps the low 16 bits
            of 200 * 256. Which word is that?]],
          format = "word", answer = function()
            return (fmt.encode("q8.8", 200, { overflow = "wrap" }))
          end, wrong = { 0x7fff, 0x00c8 },
          mistake = function(given)
            if given == 0x7fff then return "that is what a saturating adder gives; this one wraps" end
          end,
          hint = { "200 = 0xc8, and times 256 is a shift by 8" },
          because = function()
            return ("0xc800 has its top bit set: read as Q8.8 it is %s. So 200 has become %s."):format(
              fmt.text("q8.8", 0xc800), fmt.text("q8.8", 0xc800))
          end },
  },

  page {
    hide = "wrap",
    say = [[
      Does this machine drop the carry, or does it stop at the largest word? It does both, in two
      places. First the residual adder: residual1 = token_emb + attn_out. The lesson has
      put 127.0 and 2.0 there, one clock before it adds.]],
    show = "vectors", cursor = "residual1[0]",
    init = function(m)
      m:configure{}
      m:until_("top.state == RESIDUAL1")
      m:set("token_emb[0]", 127.0)
      m:set("attn_out[0]", 2.0)
    end,
    ask { predict = "residual1[0]", text = "Predict residual1[0] (hex):", format = "hex",
          after = "step", wrong = { 0x8100, 0x7f00 },
          mistake = function(given)
            if given == 0x8100 then return "that is the sum with its carry dropped. Try the step yourself" end
          end,
          hint = { "129.0 does not fit: which word is nearest?", "press space, look, press b" },
          because = "It saturates: wrong by 1.004, but not by 256." },
    task = [[Now drive another element to the other end: make residual1[5] come out as 0x8000, the
      most negative word, by a sum that would not fit. (Set token_emb[5] and attn_out[5] before the
      adder's clock: p takes you back to it.)]],
    check = function(m)
      if m.residual1[5] ~= -32768 then return false, "residual1[5] is " .. m:hex("residual1[5]") end
      local sum = m.token_emb[5] + m.attn_out[5]
      return sum < -32768, "the sum fits exactly: that is no saturation"
    end,
    auto = function(m)
      m:rev("top.state == RESIDUAL1")
      m:set("token_emb[5]", -100.0)
      m:set("attn_out[5]", -100.0)
      m:step()
    end,
    hint = { "`:rev until top.state == RESIDUAL1`, then `:set token_emb[5] -100.0`",
             "the same for attn_out[5], then space" },
  },

  page {
    say = [[
      Now a multiplier. The attention's score is narrow(q . K) * score_scale. The lesson has set
      score_scale to 16.0 and left one product in the sum: 4.0 * 4.0 = 16.0. So the next clock
      multiplies 16.0 by 16.0.]],
    show = "vectors", cursor = "scores[0][0]", set = { score_scale = 0x1000 },
    init = function(m) multiplier(m, 4.0, 4.0) end,
    ask { predict = "scores[0][0]", text = "Predict scores[0][0] (hex):", format = "hex",
          after = "step", wrong = { 0x7fff, 0x0100 },
          mistake = function(given)
            if given == 0x7fff then return "this multiplier does not saturate" end
          end,
          hint = { "256.0 is 0x10000, which has 17 bits", "only the low 16 bits are kept" },
          because = "16.0 * 16.0 = 0.0. The line below the panes says so: `scores[0][0] wraps`." },
    ask { number = "Which is the smallest integer n for which n.0 * n.0 comes out wrong?",
          answer = function()
            for n = 1, 127 do
              if q88.mul(n * 256, n * 256) ~= n * n * 256 then return n end
            end
          end, wrong = { 11, 16, 128 },
          hint = { "n * n must stay below 128", "11 * 11 = 121" },
          because = function()
            return ("12.0 * 12.0 is %g here."):format(q88.value(q88.mul(12 * 256, 12 * 256)))
          end },
  },

  page {
    say = [[
      The last edge is the small one. A product of two words has 16 bits behind the point; the
      lowest 8 are cut off by an arithmetic shift. Now the two factors are -1/256 and 1/256.]],
    show = "vectors", cursor = "scores[0][0]", set = { score_scale = 0x0001 },
    init = function(m) multiplier(m, -1.0, 1) end,
    ask { predict = "scores[0][0]", text = "The exact product is -1/65536. Predict scores[0][0] (hex):",
          format = "hex", after = "step", wrong = { 0x0000 },
          mistake = function(given)
            if given == 0 then return "cutting the low bits off a negative number does not go toward 0" end
          end,
          hint = { "-1 shifted right by 8, keeping the sign", "the floor of -0.0039 is -1" },
          because = [[-1/256, 256 times too large. The machine floors: what is negative never
            becomes 0 by cutting.]] },
    ask { choice = "And (1/256) * (1/256)?", options = { "0", "1/256", "-1/256" },
          answer = function() return ({ [0] = "0", [1] = "1/256", [-1] = "-1/256" })[q88.mul(1, 1)] end,
          because = "So it is not even symmetric: fp_mul(-a, b) is not -fp_mul(a, b)." },
  },

  page {
    say = [[
      Last: which of these errors does the machine tell? The deck's own test again, one whole token.
      When something goes wrong, the line below the panes says so, and `m.counts` counts it.]],
    show = "vectors", set = { score_scale = 0x0040 }, init = function(m) m:configure{} end,
    ask { choice = [[The product of -1/256 and 1/256, page 7, came out 256 times too large. Does the machine
            tell when that happens?]],
          options = { "yes, like the wrap of page 6", "no, it says nothing" },
          answer = function(m)
            local mark = m:mark()
            local function told() return m.counts.saturations + m.counts.wraps end
            m:configure{ score_scale = 1 }
            multiplier(m, -1.0, 1)
            local before = told()
            m:step()
            local answer = m.scores[0][0] == -1 and told() == before and 2 or 1
            m:restore(mark)
            return answer
          end,
          hint = { "P goes back to page 7: press space there, and look below the panes" },
          because = "Nearly every multiplication of this machine rounds. A line for each would tell nothing." },
    ask { choice = "Which of its errors can be the largest?",
          options = { "rounding down", "stopping at the largest word", "dropping the carry" },
          answer = function()
            local function off(got, exact) return math.abs(got / 256 - exact) end
            local errors = { off(q88.mul(-1, 1), -1 / 65536), off(32767, 129), off(q88.mul(16 * 256, 16 * 256), 256) }
            local worst = 1
            for i = 2, 3 do if errors[i] > errors[worst] then worst = i end end
            return worst
          end,
          hint = { "compare what you have seen: page 7, page 5, page 6" },
          because = [[-1/256 for nearly 0: that is rounding. 127.996 for 129: the adder stopped. 0 for 256: the
            multiplier wrapped. Lesson 06 shows what one wrap did to the attention.]] },
  },
}
