-- One token through the twelve states of the main state machine: who starts whom, what is stored on
-- which edge, and how long it takes.

-- The states of one token in their order, the clocks spent in each, and how many lead to DONE, where
-- the result is valid. The machine is left where it was.
local function tour(m)
  local mark, order, clocks, total = m:mark(), {}, {}, nil
  m:configure{}
  repeat
    local state, from = m.state, m.cycle
    m:to_state(1)
    order[#order + 1], clocks[state] = state, m.cycle - from
    if state == "DONE" then total = from end
  until m.state == "IDLE"
  m:restore(mark)
  return order, clocks, total
end

local function percent(part, whole) return ("%.0f %%"):format(100 * part / whole) end

return lesson {
  id = "01-token", title = "One token through twelve states", minutes = 20, needs = { "00-keys" },
  about = "The states that a token goes through, who starts whom, how long it takes.",

  page {
    say = [[
      A token (a letter, in lesson 00) comes in as 64 numbers, and 64 numbers go out. On the way they
      are normalised (layer norm), they look back at earlier tokens (attention), are added up,
      normalised again, go through two large matrices (feed forward), and are added up once more.

      Each of these is a unit of its own. The main state machine says whose turn it is. First make
      a bet. Then go from state to state with n, and watch the cycle numbers.]],
    show = "decoder", init = function(m) m:configure{} end,
    ask { choice = "In which of its states does the machine spend most of the clocks?", commit = true,
          options = { "LN1_WAIT", "ATTN_WAIT", "FFN_WAIT" },
          answer = function(m)
            local order, clocks = tour(m)
            table.sort(order, function(a, b) return clocks[a] > clocks[b] end)
            return order[1]
          end,
          mistake = function(_, m)
            local _, clocks = tour(m)
            return ("go and see: Esc, then n stops at each change. LN1_WAIT, for one, lasts %d clocks"):format(clocks.LN1_WAIT)
          end,
          hint = { "press n again and again; note the cycle at each stop" },
          because = function(m)
            local _, clocks, total = tour(m)
            local products = tonumber(m.config.d_ff) / (2 * tonumber(m.config.d_model))
            return ("%d of the %d clocks to DONE, or %s. The feed forward multiplies with %g times as many weights, and yet it needs only %s."):format(
              clocks.ATTN_WAIT, total, percent(clocks.ATTN_WAIT, total), products,
              percent(clocks.FFN_WAIT, total))
          end },
    ask { number = "How many of the states last exactly one clock? Count them from IDLE to DONE.",
          answer = function(m)
            local _, clocks = tour(m)
            local n = 0
            for _, c in pairs(clocks) do n = n + (c == 1 and 1 or 0) end
            return n
          end,
          hint = { "n from cycle 0: a state lasts one clock when the next stop is one cycle on",
                   "all but those whose name ends in WAIT" },
          because = function(m)
            return ("%d states in all: the other four wait for a unit."):format(#tour(m))
          end },
  },

  page {
    say = [[
      How does one machine start another? By a flag. The main machine now stands in LN1_START. This
      state does one thing only: it raises ln1_start, the flag that layer norm 1 waits for.]],
    show = "decoder", init = function(m) m:configure{} m:until_("top.state == LN1_START") end,
    ask { predict = "ln1_start", text = "Which value does ln1_start have now, in this very cycle?",
          after = function() end, wrong = 1,
          mistake = function() return "nearly everybody says so. Ask the machine: Esc, then `:get ln1_start`" end,
          hint = { "a state decides what a register takes on the edge that ENDS its cycle" },
          because = [[0. LN1_START puts a 1 at the flag's input. The flag is a register: it takes what is
            at its input on the next edge, and so do all other registers.]] },
    ask { predict = "ln1_start", text = "And after one clock, in the first cycle of LN1_WAIT?",
          after = "step", hint = { "the edge has passed" } },
    ask { predict = "ln1.state", text = "Layer norm 1 now sees the flag. In which state is it itself, in this same cycle?",
          after = function() end, wrong = "MEAN",
          hint = { "it samples the flag as the main machine samples `start`",
                   "its states: IDLE MEAN VARIANCE NORMALIZE DONE" } },
    ask { predict = "ln1_start", text = "One clock more: layer norm 1 is in MEAN. And the flag?",
          after = "step", wrong = 1,
          hint = { "only the state LN1_START raises it, and that is over" },
          because = [[So a start flag is high for exactly one cycle, the first of the wait. It comes
            one clock late and goes one clock late.]],
          claim = function(m) return m.ln1.state == "MEAN" and m.state == "LN1_WAIT" and m.ln1_start == 0 end },
  },

  page {
    say = [[
      Attention takes the longest, so let us look inside. It is a state machine too, with ten states.
      And it starts a softmax, which has states of its own.]],
    show = "decoder", init = function(m) m:configure{} m:until_("top.state == ATTN_WAIT") end,
    ask { predict = "attn.state", text = "The main machine has just entered ATTN_WAIT. In which state is the attention?",
          after = function() end, wrong = "PROJ_QKV",
          mistake = function() return "remember layer norm 1 in the first cycle of LN1_WAIT" end,
          hint = { "it is as it was with layer norm 1" } },
    ask { predict = "attn.state", text = "Run until the softmax is in its state SUM. In which state is the attention then?",
          after = "run until smax.state == SUM",
          hint = { "`:run until smax.state == SUM` shows it; 0 takes you back",
                   "it has prepared the softmax, and will store what comes out; in between it ..." },
          because = "Three machines, one inside the other: ATTN_WAIT waits for SOFTMAX_RUN, which waits for SUM.",
          claim = function(m)
            return m.state == "ATTN_WAIT" and m.attn.state == "SOFTMAX_RUN" and m.smax.state == "SUM"
          end },
    ask { number = "How many times does the softmax run for this one token?",
          answer = function(m)
            local mark, n = m:mark(), 0
            m:goto_(0)
            while m.valid == 0 do
              if m:changed("smax.state") and m.smax.state == "FIND_MAX" then n = n + 1 end
              m:step()
            end
            m:restore(mark)
            return n
          end,
          wrong = { 1, 64, 128 },
          hint = { "`:break smax.state == RECIP`, then r again and again; `:delete` takes the breakpoint away",
                   "what does attn.h count?" },
          because = function(m)
            return ("Once for each of the %s heads, one after the other: there is only one softmax. That is where the clocks go."):format(m.config.n_heads)
          end },
  },

  page {
    say = [[
      What a token leaves behind for later ones is a row of K and a row of V. Attention writes both
      in a single cycle, WRITE_CACHE, from its registers k and v. The machine stands in it.]],
    show = "kv", cursor = "K[0][5]",
    init = function(m, v)
      v.d = v.random(1, 63)
      v.word = v.random(300, 4000)
      m:configure{}
      m:until_("attn.state == WRITE_CACHE")
      m:set(("k[%d]"):format(v.d), v.word)
    end,
    ask { predict = function(m, v) return m.K[0][v.d] end, format = "hex",
          text = function(m, v)
            return ("k[%d] holds 0x%s. What does K[0][%d] hold, in this cycle?"):format(v.d,
              m:hex(("k[%d]"):format(v.d)), v.d)
          end,
          wrong = function(m, v) return m.k[v.d] end,
          hint = { "is it written before or after the edge?" } },
    ask { predict = function(m, v) return m.K[0][v.d] end, format = "hex", after = "step",
          text = function(_, v) return ("And K[0][%d] after one clock?"):format(v.d) end,
          wrong = 0,
          hint = { function(_, v) return ("`:get k[%d]`"):format(v.d) end } },
    ask { predict = "attn.state", text = "In which state is the attention, now that the row can be read?",
          after = function() end, wrong = "WRITE_CACHE",
          hint = { "look at the decoder view (1)" },
          because = "What a state writes can be read in the next state. `:lastwrite K[0][5]` leads to that cycle." },
  },

  page {
    say = [[
      After the attention, its result is added to what came in: the token's own numbers go around
      the unit and meet its result here, in RESIDUAL1. All 64 sums are made in one clock. The lesson
      has put two numbers there for you.]],
    show = "vectors", cursor = "residual1[0]",
    init = function(m, v)
      v.a, v.b = v.random(2, 40), v.random(2, 40)
      m:configure{}
      m:until_("top.state == RESIDUAL1")
      m:set("token_emb[0]", v.a / 4)
      m:set("attn_out[0]", -v.b / 8)
    end,
    ask { predict = "residual1[0]", format = "value", after = "step",
          text = function(m)
            return ("token_emb[0] is %s, attn_out[0] is %s. Predict the value of residual1[0] after the clock."):format(
              m:value("token_emb[0]"), m:value("attn_out[0]"))
          end,
          wrong = function(m) return m:value("token_emb[0]") end,
          hint = { "an addition, nothing else" } },
    ask { predict = "top.state", text = "And the state after that clock?", after = function() end,
          wrong = "LN2_WAIT", hint = { "what had to come before LN1_WAIT?" } },
  },

  page {
    say = [[
      The last addition is RESIDUAL2; the machine stands in it. `valid` tells the outside when the
      result may be taken.]],
    show = "vectors", cursor = "out_emb[0]",
    init = function(m) m:configure{} m:until_("top.state == RESIDUAL2") end,
    ask { predict = "valid", text = "Predict valid after one clock, in DONE:", after = "step",
          hint = { "it is raised by RESIDUAL2, as ln1_start was by LN1_START" } },
    ask { predict = "valid", text = "And one clock later, in IDLE?", after = "step", wrong = 1,
          hint = { "how long was ln1_start high?" } },
    ask { predict = "out_emb[0]", text = "valid is 0 again. What is in out_emb[0] now?",
          format = "hex", after = function() end, wrong = 0,
          mistake = function(given) return given == 0 and "nobody has written a 0 there" end,
          hint = { "a register holds what it has until something else is stored" },
          because = [[It stays until the next RESIDUAL2. `valid` rings the bell; the result stays at the door.]] },
  },

  page {
    say = [[
      `start` comes from outside, and may come at any time. What if it comes while the machine is
      working? It is now in the feed forward, and `start` has been set to 1.]],
    show = "decoder",
    init = function(m)
      m:configure{}
      m:until_("top.state == FFN_WAIT")
      m:step(10)
      m:set("start", 1)
    end,
    ask { predict = "top.state", text = "Predict the main state after one clock:", after = "step",
          wrong = { "LN1_START", "IDLE" },
          hint = { "which states look at `start`?" },
          because = "Only the state IDLE looks at `start`. No other state does.",
          claim = function(m) return m.start == 1 and m.state == "FFN_WAIT" end },
    task = [[Bring the machine to the next cycle in which it looks at `start`, and let `start` be 1 there.]],
    check = function(m)
      return m.state == "IDLE" and m.start == 1 and m.cycle > 0,
        ("it is in %s, cycle %d, with start = %d"):format(m.state, m.cycle, m.start)
    end,
    auto = "run until top.state == IDLE",
    hint = { "n until the top line says IDLE", "`:run until top.state == IDLE`" },
  },

  page {
    say = function(m)
      return ([[So a second token begins: the machine stands in IDLE, cycle %d, and samples `start`.
        The first token, at position 0, took %d clocks from there to `valid`. The second, at
        position 1, has one token more to look back at.]]):format(m.cycle, m.cycle - 1)
    end,
    show = "timeline",
    init = function(m, v)
      m:configure{}
      m:until_("valid == 1")
      m:step()
      v.from = m.cycle
    end,
    ask { predict = function(m, v) return m.cycle - v.from end, after = "run until valid == 1",
          text = "How many clocks will it take?",
          wrong = function(_, v) return v.from - 1 end,
          mistake = function(given, _, v)
            if given == v.from - 1 then return "it has more to do than the first" end
            if given == v.from then return "more by one score, in each head" end
          end,
          hint = { "one more score to make, and how many heads make it?",
                   "`:run until valid == 1`, and subtract" },
          because = "One score more in each of the four heads. The rest takes as long as before.",
          claim = function()
            local first, second = cycles.count{ pos = 0 }, cycles.count{ pos = 1 }
            return second.score.measured - first.score.measured == second.measured - first.measured
          end },
    ask { number = "Then how long does the token at position 100 take?",
          answer = function() return cycles.count{ pos = 100 }.measured end,
          hint = { "the second took four clocks more than the first; the third four more again",
                   function() return ("%d + 4 * 100"):format(cycles.count{ pos = 0 }.measured) end },
          because = [[The lesson has just stepped a machine at position 100 and counted. Lesson 08
            goes on from here.]] },
  },
}
