-- The mask that wrapped: what -128.0, -8.0 and a gate do to positions that do not exist yet, and why
-- the deck's published number is what it is.

local to_store = "run until attn.state == SOFTMAX_STORE"
local presets = { "deck", "minus8", "repaired" }

-- Head 0 of the first token, its scores ready, with every q multiplied by `sign`.
local function first_token(m, preset, sign)
  m:configure{ preset = preset, max_seq_len = 128 }
  m:until_("attn.state == SCORE")
  for d = 0, sign == -1 and 63 or -1 do m:set(("q[%d]"):format(d), -m.q[d]) end
  m:until_("attn.state == SOFTMAX_PREP")
end

-- What the valid positions get together, of 1.0, for tokens 0..15 of a machine for 16.
local function valid_shares(preset)
  local m, points = machine.create{ preset = preset, max_seq_len = 16 }, {}
  for pos = 0, 15 do
    m:until_("attn.state == SOFTMAX_STORE")
    local sum = 0
    for t = 0, pos do sum = sum + m.softmax.prob[t] end
    points[#points + 1] = { pos, sum / 256 }
    m:until_("valid == 1")
  end
  return points
end

local function out0(preset) return run{ preset = preset }[1].raw[1] end

return lesson {
  id = "06-mask", title = "The mask that wrapped", minutes = 30,
  about = "A mask of -128.0 that does the opposite, and what the deck's test saw.", needs = { "02-q88", "05-softmax" },

  page {
    hide = "wrap",
    say = [[
      The softmax always works on all 128 positions. But the first token has only itself to look at.
      So positions that do not exist yet get a score so low that exp makes (nearly) nothing of it:
      -128.0, the lowest word there is. That is the mask.

      This is the deck's machine, at its first token. Position 0 is real, 127 are masked.]],
    show = "softmax", cursor = "softmax.prob[0]",
    init = function(m) first_token(m, "deck") end,
    ask { predict = "softmax.prob[0]", format = "value", commit = true,
          text = "First your bet, then look. Predict the share that position 0 gets (1 would be all, 1/256 next to nothing):",
          after = to_store, wrong = 1,
          mistake = function(given) if given == 1 then return "so it should be. Esc, then `:" .. to_store .. "` and see what is" end end,
          hint = { "`:" .. to_store .. "`, and look at the softmax view (3)" } },
    ask { predict = "softmax.prob[100]", format = "value", text = "And position 100, which does not exist yet?", after = function() end,
          wrong = 0,
          hint = { "move the cursor down in the softmax view" },
          because = "All 128 get the same: the one that is there, and 127 that are not. Now find out why.",
          claim = function(m)
            for t = 0, 127 do if m.softmax.prob[t] ~= m.softmax.prob[0] then return false, t end end
            return true
          end },
  },

  page {
    hide = "wrap",
    say = [[
      The same token again, slowly. The scores are ready, the softmax has not begun.]],
    show = "softmax", cursor = "softmax.x[1]",
    claim = function(m) return m.attn.state == "SOFTMAX_PREP" and m.smax.state == "IDLE" and m.scores[0][0] > 0 end,
    init = function(m, v)
      first_token(m, "deck")
      local here = m:mark()
      m:until_("smax.state == SUBTRACT_EXP")
      v.max = m:hex("softmax.max")
      m:restore(here)
    end,
    ask { predict = "softmax.x[1]", format = "word", text = "Which word does the mask put at position 1, -128.0? (hex)",
          after = "run until smax.state == FIND_MAX", wrong = 0x8080,
          hint = { "-128 * 256 is -32768" } },
    ask { predict = "softmax.shifted[1]", format = "hex", after = "run until smax.state == SUM",
          text = function(_, v)
            return ("The largest score, position 0, is 0x%s, a small positive number. Predict softmax.shifted[1], which is x[1] - max (hex):"):format(v.max)
          end,
          wrong = { 0x8000, 0x803f },
          mistake = function(given)
            if given == 0x8000 then return "that would be a subtraction that saturates. Which kind is it? Lesson 02" end
          end,
          hint = { "0x8000 - 0x003f, in 16 bits", "borrow: 0x7fff - 0x003e" } },
    ask { predict = "softmax.exp[1]", format = "hex", text = "As a signed word that is large and positive. So what is softmax.exp[1]? (hex)",
          after = function() end, wrong = { 0, 4 },
          hint = { "lesson 05: what does this exp give for x >= 0?" },
          because = "1.0, as for the largest score itself." },
    ask { predict = "softmax.sum", format = "hex", text = "And softmax.sum? (hex)", after = "run until smax.state == RECIP",
          wrong = 0x0100, hint = { "128 times 1.0" },
          because = "128 equal exps: 128 equal shares." },
  },

  page {
    hide = "wrap",
    say = [[
      Does it always wrap? Here every q has the other sign, so the score of position 0 is below 0.]],
    show = "softmax", cursor = "softmax.shifted[1]",
    init = function(m) first_token(m, "deck", -1) end,
    claim = function(m)
      m:until_("smax.state == SUBTRACT_EXP")
      return m.softmax.x[0] < 0 and m.softmax.max == m.softmax.x[0]
    end,
    ask { predict = "softmax.exp[1]", format = "hex", text = "Predict softmax.exp[1], of a masked position (hex):", after = "run until smax.state == SUM",
          wrong = 0x0100,
          hint = { "the largest score is negative now: what is 0x8000 minus a negative number?",
                   "a little more than -128.0, and no wrap" } },
    ask { choice = "When does the mask of -128.0 wrap?",
          options = { "when the largest score is above 0", "when the largest score is below 0", "always" },
          answer = function()
            local below, above = false, false
            for max = -2000, 2000 do
              local _, wraps = q88.sub(-32768, max)
              if max > 0 then above = above or wraps elseif max < 0 then below = below or wraps end
            end
            return above and below and 3 or above and 1 or 2
          end,
          hint = { "-128.0 is the lowest word: what can still be subtracted from it?" },
          because = "So it goes wrong just where attention has found something that fits.",
          claim = function() return not select(2, q88.sub(-32768, 0)) and select(2, q88.sub(-32768, 1)) end },
  },

  page {
    hide = "wrap",
    say = [[
      An earlier machine of this kind had a mask of -8.0: far enough from the edge. That is the preset
      minus8, again at its first token.]],
    show = "softmax", cursor = "softmax.prob[0]",
    init = function(m) first_token(m, "minus8") end,
    ask { predict = "softmax.exp[1]", format = "hex", text = "Predict softmax.exp[1], of a masked position (hex):", after = "run until smax.state == SUM",
          wrong = { 0, 0x0100 },
          hint = { "no wrap this time. But lesson 05: what is the least this exp gives?" } },
    ask { predict = "softmax.prob[0]", format = "value", tolerance = 0.02, after = to_store,
          text = "So 127 of these, beside one 1.0. About which share does position 0 get? (to 0.02)", wrong = { 1, 0.98 },
          hint = { "the sum is 256 + 127 * 4, in 256ths", "256 / 764" } },
    ask { predict = function(m)
            local n = 0
            for t = 1, 127 do if m.softmax.prob[t] > 0 then n = n + 1 end end
            return n
          end,
          text = "How many of the positions that do not exist get a share above 0?", wrong = 0,
          hint = { "4/256 * recip, rounded down, is not 0" },
          because = function(m)
            local sum = 0
            for t = 1, 127 do sum = sum + m.softmax.prob[t] end
            return ("Each only 1/256, but together they have %d/256, and position 0 has %d/256."):format(sum, m.softmax.prob[0])
          end,
          claim = function(m) return m.softmax.prob[1] == 1 and m.softmax.prob[127] == 1 end },
  },

  page {
    hide = "wrap",
    say = [[
      The repair is no better number. It is a gate: for a position that does not exist, exp is 0,
      whatever the score says. The mask is still -128.0. Preset repaired, first token.]],
    show = "softmax", cursor = "softmax.shifted[1]",
    init = function(m) first_token(m, "repaired") end,
    ask { predict = "softmax.shifted[1]", format = "hex", text = "Predict softmax.shifted[1] (hex):", after = "run until smax.state == SUM",
          wrong = { 0, 0x8000 }, hint = { "the subtraction has not been touched" },
          because = "It wraps as before. But now it does no harm." },
    ask { predict = "softmax.exp[1]", format = "hex", text = "softmax.exp[1]? (hex)", after = function() end, wrong = { 4, 0x0100 },
          hint = { "the gate" } },
    ask { predict = "softmax.prob[0]", format = "value", text = "And the share of position 0?", after = to_store,
          hint = { "1.0 of a sum of 1.0" } },
  },

  page {
    say = [[
      Three machines for 16 positions, run for 16 tokens: how much of the shares goes to positions
      that exist (1 would be all of it). A, B and C are deck, minus8 and repaired in some order.]],
    init = function(_, v)
      local first, turn = v.random(1, 3), v.random(1, 2)
      v.order = { presets[first], presets[(first - 1 + turn) % 3 + 1], presets[(first - 1 + 2 * turn) % 3 + 1] }
    end,
    plot = function(_, v)
      screen.plot{ title = "share of what exists, over the position", height = 8, width = 48,
        series = { A = valid_shares(v.order[1]), B = valid_shares(v.order[2]), C = valid_shares(v.order[3]) } }
    end,
    ask { choice = "Which one is A?", options = presets, answer = function(_, v) return v.order[1] end,
          hint = { "at the first token: which gives 1/16 of everything to each of 16?",
                   "the one that starts lowest has wrapped; the one that starts highest is repaired" } },
    ask { choice = "And B?", options = presets, answer = function(_, v) return v.order[2] end,
          hint = { "lowest at the left: deck; highest: repaired" } },
    ask { choice = "At which token have all three nearly the same?", options = { "the first", "the middle one", "the last" },
          answer = function()
            local a, b, c = valid_shares("deck"), valid_shares("minus8"), valid_shares("repaired")
            local best, at = 9, 1
            for i, pos in ipairs({ 1, 8, 16 }) do
              local spread = math.max(a[pos][2], b[pos][2], c[pos][2]) - math.min(a[pos][2], b[pos][2], c[pos][2])
              if spread < best then best, at = spread, i end
            end
            return at
          end,
          hint = { "where is nothing left to mask?" } },
  },

  page {
    say = [[
      The deck prints what its test got for out_emb[0]: 0.5898, which is 0x0097. Let us see how much
      of it comes from the attention. The deck's machine, about to weigh V with the shares.]],
    show = "vectors", cursor = "V[0][0]",
    init = function(m)
      first_token(m, "deck")
      m:until_("attn.state == WEIGHTED_SUM")
    end,
    ask { predict = "concat[0]", format = "hex", after = "run until attn.state == OUTPUT_PROJ",
          text = function(m)
            return ("V[0][0] is 0x%s. The share of position 0 is 0x%s. Their product, shifted right by 8, is concat[0]. Predict it (hex):"):format(
              m:hex("V[0][0]"), m:hex("probs[0][0]"))
          end,
          wrong = function(m) return m.V[0][0] end,
          hint = { "0x3f * 2 is 126", "126 / 256, whole part" } },
    ask { predict = "concat[1]", format = "hex", after = function() end,
          text = function(m)
            return ("The next one: V[0][1] is 0x%s, a negative number. The share is the same. Predict concat[1] (hex):"):format(m:hex("V[0][1]"))
          end,
          wrong = { 0, 0xff80 },
          mistake = function(given) if given == 0 then return "-128 / 256 is -0.5. Which way does a shift go below 0? (Lesson 02)" end end,
          hint = { "-64 * 2 = -128, shifted right by 8", "the next whole number below -0.5" },
          because = "0 and -1/256: of a share of 2/256 this is all that is left." },
    ask { predict = "attn_out[0]", format = "hex", text = "Then what will the attention add to the token's first number? attn_out[0], hex:",
          after = "run until top.state == RESIDUAL1",
          hint = { "wo has one number in each column, on the diagonal" } },
    ask { predict = "out_emb[0]", format = "hex", after = "run until valid == 1",
          text = "What is left is the second half of the machine. Predict out_emb[0] (hex):",
          hint = { "this is the deck's own test" },
          because = "There it is, and the attention has added nothing to it.",
          claim = function(m) return m.out_emb[0] == fmt.encode("q8.8", "0.5898") and m.attn_out[0] == 0 end },
  },

  page {
    say = [[
      Now the other way round. The deck's machine stands in RESIDUAL1, and all 64 numbers that came out
      of its attention have been set to 0. The deck has published two numbers: out_emb[0] is 0x0097,
      out_emb[1] is 0xff7f.]],
    show = "vectors", cursor = "attn_out[0]",
    init = function(m)
      first_token(m, "deck")
      m:until_("top.state == RESIDUAL1")
      for i = 0, 63 do m:set(("attn_out[%d]"):format(i), 0) end
    end,
    ask { predict = "out_emb[0]", format = "hex", text = "Predict out_emb[0] (hex):", after = "run until valid == 1",
          hint = { "what did the attention contribute, on the page before?" },
          because = "The first number cannot tell whether there is an attention at all.",
          claim = function(m) return m.out_emb[0] == out0("deck") end },
    ask { predict = "out_emb[1]", format = "hex", text = "And the second? Predict out_emb[1] without any attention (hex):",
          after = function() end, wrong = { 0xff7f, 0xff7e },
          mistake = function(given) if given == 0xff7f then return "that is with the attention. What did concat[1] add, on the page before?" end end,
          hint = { "the attention had added -1/256 there; now it adds nothing", "0xff7f + 1" },
          because = "The second number can tell, by one step of 1/256. That step is all that is left of the attention.",
          claim = function(m) return run{ preset = "deck" }[1].raw[2] == m.out_emb[1] - 1 end },
    ask { choice = "What does out_emb[0] become in the repaired machine, where position 0 gets its full share?",
          options = { "the same", "larger", "smaller" },
          answer = function()
            local deck, repaired = out0("deck"), out0("repaired")
            return repaired == deck and 1 or repaired > deck and 2 or 3
          end,
          hint = { "what the attention adds here is not negative, and now it counts", "`:preset repaired`, then `:run until valid == 1`" },
          because = function()
            return ("deck 0x%s, minus8 0x%s, repaired 0x%s: the more attention, the more."):format(
              q88.hex(out0("deck")), q88.hex(out0("minus8")), q88.hex(out0("repaired")))
          end,
          claim = function() return out0("deck") < out0("minus8") and out0("minus8") < out0("repaired") end },
    ask { choice = "Which of these tests would have found the wrapped mask?",
          options = { "out_emb[0] is 0x0097, as documented",
            "the second token's result differs from the first's",
            "the shares of the positions that exist add up to about 1" },
          answer = function()
            local tokens = run{ preset = "deck", tokens = 2 }
            local passes = { tokens[1].raw[1] == 0x0097, tokens[1].raw[1] ~= tokens[2].raw[1],
              valid_shares("deck")[1][2] > 0.9 }
            for i = 1, 3 do if not passes[i] then return i end end
          end,
          hint = { "a test that has copied its number from the machine will always agree with the machine" },
          because = "The lesson has run all three on the deck's machine: only this one fails." },
  },

  page {
    say = [[
      Last: is there a number that masks better than -8.0 and -128.0, without the gate? You know this
      exp from lesson 05. (Head 0 of the first token; its largest score is 0x003f.)]],
    show = "softmax", cursor = "softmax.prob[0]",
    init = function(m) first_token(m, "minus8") end,
    task = [[Find a mask (`:config mask=-3.0` begins again with that one) with which position 0 gets
      more than 0.6, then `:run until attn.state == SOFTMAX_STORE`.]],
    check = function(m)
      if m.config.mask_mode ~= "value" then return false, "that is the gate: without it, mask_mode is value" end
      if m.attn.state ~= "SOFTMAX_STORE" or m.attn.h ~= 0 then return false, "the attention is in " .. m.attn.state .. ", head " .. m.attn.h end
      if m.seq_pos ~= 0 or m.config.max_seq_len ~= 128 then return false, "the first token of 128, please" end
      return m.softmax.prob[0] > 0.6 * 256, ("with mask %s position 0 gets %s"):format(m.config.mask, m:value("softmax.prob[0]"))
    end,
    auto = function(m)
      m:configure{ preset = "minus8", mask = 0x3f - 255 }
      m:cmd(to_store)
    end,
    hint = { "where is this exp the lowest? Not far down, where the floor is", "just above -1, the line 1 + x gives 1/256",
             "mask - max = -255/256; max is 63/256" },
    because = function(m)
      return ("Mask %s gives %s. A nearer mask is better than a farther one, because of a step in a curve. And it is so for this largest score only. A number is no gate."):format(
        m.config.mask, m:value("softmax.prob[0]"))
    end,
  },
}
