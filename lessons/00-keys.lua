-- Keys, help, undo: for someone who has never seen the tool, at 80x24.

return lesson {
  id = "00-keys", title = "Keys, help, undo", minutes = 10, skip = "free",

  page {
    say = [[
      Welcome. This pane is the lesson; Enter always does the next thing: it takes your answer,
      checks your work, or turns the page. P turns back, i gives a hint.

      The machine you are about to step is a small transformer decoder. On a small screen it takes
      turns with this text: 1 shows the machine, L comes back here.

      The top line of the screen always says where the machine is: the token, the clock cycle, and
      the state that its main state machine is in.]],
    ask { number = "Which cycle does the top line show? (Press Enter, type it, press Enter.)",
          answer = function(m) return m.cycle end,
          hint = { "the number behind the word `cycle`" } },
    ask { choice = "And which state is the machine in?",
          options = { "IDLE", "LN1_START", "another one" },
          answer = function(m)
            return (m.state == "IDLE" or m.state == "LN1_START") and m.state or "another one"
          end,
          hint = { "the last word of the top line" },
          because = function(m)
            if m.state ~= "IDLE" then return "You have set it going already. In cycle 0 it is in IDLE, and waits." end
            return [[IDLE: it waits. A token is at its pins, and `start` is high, so that the next
              clock edge will set it going.]]
          end },
  },

  page {
    say = [[
      space is one clock edge. Everything in the machine moves on such an edge, all at once, and
      nothing moves between two of them.]],
    init = function(m) m:configure{} end,
    ask { predict = "top.state", text = "Predict: which state will it be in after one clock?",
          after = "step",
          hint = { "it samples `start` in IDLE and begins with the first layer norm",
                   "the states in their order: IDLE LN1_START LN1_WAIT ATTN_START ..." },
          because = "The machine has just done that step, and agreed with you." },
    task = "Now you: press space until the top line says cycle 5. Then come back (L) and press Enter.",
    check = function(m) return m.cycle == 5, "the machine is in cycle " .. m.cycle end,
    auto = function(m) m:goto_(5) end,
    hint = { "too far? b takes one clock back" },
  },

  page {
    say = [[
      b is one clock back. Not a trick of the screen: the machine itself returns, with every
      register and every memory cell as it was.]],
    init = function(m) m:goto_(5) end,
    ask { predict = "ln1.i", text = [[The first layer norm counts the elements it has added in ln1.i.
            What did it hold one clock ago?]],
          format = "int", after = "back",
          hint = { "press b, look for ln1.i in the decoder view (1), or type `:get ln1.i`",
                   "it counts up by one each clock" } },
    ask { choice = "Ten clocks forward, then ten back: what is different?",
          options = { "nothing at all", "the cycle counter", "the memories keep what was written" },
          answer = function(m)
            local before = m:hash()
            m:step(10)
            m:back(10)
            return m:hash() == before and "nothing at all" or "the memories keep what was written"
          end,
          because = [[The lesson has just tried it and compared a digest of the whole state: the
            command `:hash` shows that digest.]] },
  },

  page {
    say = [[
      Most clocks are much alike. n goes on to the next change of the main state, p to the one
      before; t and T go from token to token. 0 is the beginning.

      Stand where LN1_WAIT begins (0, then n twice), note the cycle, and press n.]],
    init = function(m) m:configure{} end,
    ask { number = "How many clocks does the machine stay in LN1_WAIT?",
          answer = function(m)
            local mark = m:mark()
            m:goto_(0)
            m:until_("top.state == LN1_WAIT")
            local first = m.cycle
            m:to_state(1)
            local clocks = m.cycle - first
            m:restore(mark)
            return clocks
          end,
          wrong = { 64, 192, 198 },
          hint = { "the difference of two cycle numbers",
                   "LN1_WAIT begins in cycle 2; look where ATTN_START begins" },
          because = [[Three passes over 64 elements, one clock more for each pass, and two: the
            machine never does anything in no time.]] },
    task = "Go to the cycle in which ATTN_WAIT begins.",
    check = function(m) return m.state == "ATTN_WAIT" and m:changed("top.state"),
      "it is in " .. m.state .. ", cycle " .. m.cycle end,
    auto = "run until top.state == ATTN_WAIT",
    hint = { "n from where you are, until the top line says ATTN_WAIT" },
  },

  page {
    say = [[
      The colon opens the console. Everything a key does has a name there, and there is more:
      `get NAME` prints a signal, `goto C` goes to a cycle, `run until CONDITION` runs. Tab
      completes, `help` lists all. Esc leaves it.]],
    task = "Use the console to go to cycle 1000.",
    check = function(m) return m.cycle == 1000, "it is cycle " .. m.cycle end,
    auto = "goto 1000",
    hint = { "press : and type goto 1000, Enter; Esc, then L" },
  },

  page {
    say = [[
      You may change any number in the machine and see what comes of it. The change is marked
      `edited` in the top line, and `undo` takes it back, also much later.]],
    init = function(m) m:configure{} end,
    task = "In the console: `set token_emb[3] 0x0200`. That is 2.0, where another number was.",
    check = function(m)
      return m.token_emb[3] == 0x0200, "token_emb[3] is " .. m:hex("token_emb[3]")
    end,
    auto = "set token_emb[3] 0x0200",
    hint = { "`:set token_emb[3] 0x0200`; in the vectors view (2) you can see it" },
  },

  page {
    say = "Now let the changed machine work, and then take the change back.",
    init = function(m) -- whoever has taken it back already gets it again
      if m.token_emb[3] ~= 0x0200 then m:set("token_emb[3]", 0x0200) end
    end,
    ask { predict = "token_emb[3]", text = [[The machine will finish the whole token, 2953 clocks.
            What does token_emb[3] hold afterwards?]],
          after = "run until valid == 1", format = "value",
          hint = { "token_emb are pins: only the host changes them" } },
    task = "Type `undo` in the console, wherever you are.",
    check = function(m)
      return m.token_emb[3] ~= 0x0200, "token_emb[3] is still 0x0200"
    end,
    auto = function(m) if m.token_emb[3] == 0x0200 then m:undo() end end,
    because = [[Undone as if it had never been: the machine is in the same cycle as before, and what
      it had computed with the change it has computed again without.]],
  },

  page {
    say = [[
      A run stops where you say. `run until CONDITION` goes forward, `rev until CONDITION`
      backward, and `break CONDITION` stops every run.]],
    init = function(m) m:configure{} end,
    ask { predict = "smax.i", format = "int",
          text = [[`run until smax.state == SUM`: the softmax has gone over all 128 scores and is
            about to add them up. At which index does it begin?]],
          after = "run until smax.state == SUM",
          hint = { "every pass begins at the first element" } },
    ask { predict = "top.state", text = "And which state is the main state machine in meanwhile?",
          after = function() end,
          hint = { "the softmax belongs to the attention", "look at the top line" } },
    task = "Now run until the token is finished: `run until valid == 1`.",
    check = function(m) return m.valid == 1, "valid is still 0" end,
    auto = "run until valid == 1",
  },

  page {
    say = [[
      That is nearly all. ? shows every key of the pane you are in, with its name; Esc leaves it. q
      leaves the program: this lesson remembers the page you were on.]],
    ask { choice = "Something unexpected is on the screen. Which key first?",
          options = { "?", "q", "Ctrl-C" }, answer = "?",
          because = [[? is always safe: it changes nothing. Next: `tokstep lesson 01`, or `:lesson
            01` right here.]] },
  },
}
