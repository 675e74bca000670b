-- Keys, help, undo, and what the machine is for: for someone who has never seen the tool, at 80x24.

local function finish_token(m, token)
  m:goto_(0)
  if token > 0 then m:to_token(token) end
  m:until_("valid == 1")
end

local function guess(m) return m.guesses[1].letter end

local function guesses_text(m)
  local texts = {}
  for i, g in ipairs(m.guesses) do texts[i] = ("%s %.0f %%"):format(g.letter, 100 * g.p) end
  local seen = m.valid == 1 and m.letters or m.letters:sub(1, -2) -- the last one is still at the pins
  return ("After %s: %s."):format(seen, table.concat(texts, ", "))
end

-- The letter that a head looks at most.
local function looks_at(m, head)
  local best = 0
  for t = 0, m.token do
    if m.probs[head][t] > m.probs[head][best] then best = t end
  end
  return m.letters:sub(best + 1, best + 1)
end

return lesson {
  id = "00-keys", title = "Keys, help, undo", minutes = 18, skip = "free",
  about = "The keys, one clock at a time; then a word of your own: what it is for.",

  page {
    say = [[
      Welcome. This pane is the lesson; Enter always does the next thing: it takes your answer,
      checks your work, or turns the page. [ turns back, i gives a hint.

      The machine is a small transformer decoder: the kind of machine that large language models are
      made of. You will step it clock by clock. On a small screen it takes turns with this text: 1
      shows the machine, L comes back here.

      The top line of the screen always says where the machine is: the token, the clock cycle, and
      the state of its main state machine.]],
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
      The space bar is one clock edge. Everything in the machine moves on such an edge, all at once.
      Between two edges nothing moves.]],
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
      b is one clock back. It is no trick of the screen: the machine itself goes back, with every
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
          because = [[The lesson has just tried it. It has compared a check sum of the whole machine, before
            and after: `:hash` shows that sum.]] },
  },

  page {
    say = [[
      Most clocks look alike. n goes to the next change of the main state, p to the one before. t and
      T go from token to token. 0 is the beginning.

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
          because = [[It goes over 64 elements three times, with one clock more for each time, and two to
            begin and to end. Nothing in a machine takes no time.]] },
    task = "Go to the cycle in which ATTN_WAIT begins.",
    check = function(m)
      local begins = m:changed("top.state")
      return m.state == "ATTN_WAIT" and begins,
        ("it is in %s, cycle %d%s"):format(m.state, m.cycle,
          m.state == "ATTN_WAIT" and ", which is not where that begins: p goes back there" or "")
    end,
    auto = "run until top.state == ATTN_WAIT",
    hint = { "n from where you are, until the top line says ATTN_WAIT" },
  },

  page {
    say = [[
      The colon opens the console. Everything a key does has a name there, and there is more:
      `get NAME` prints a signal, `goto C` goes to a cycle, `run until CONDITION` runs. Tab
      completes a name; `help goto` says what `goto` does, and so for each of them. Esc leaves it.]],
    task = "Use the console to go to cycle 1000.",
    check = function(m) return m.cycle == 1000, "it is cycle " .. m.cycle end,
    auto = "goto 1000",
    hint = { "press : and type goto 1000, Enter; Esc, then L" },
  },

  page {
    say = [[
      You may change any number in the machine and see what comes of it. The console's word is `set`
      (`help set` says how to use it). A change is marked `edited` in the top line, and `undo` takes
      it back, also much later.]],
    init = function(m) m:configure{} end,
    task = "Put the word 0x0200 into token_emb[3], one of the numbers that come in. (It is 2.0.)",
    check = function(m)
      return m.token_emb[3] == 0x0200, "token_emb[3] is " .. m:hex("token_emb[3]")
    end,
    auto = "set token_emb[3] 0x0200",
    hint = { "press : and then it is `set`, the name, the word", "`:set token_emb[3] 0x0200`; in the vectors view (2) you can see it" },
  },

  page {
    say = "Now let the changed machine work, and then take the change back.",
    init = function(m) -- whoever has taken it back already gets it again
      if m.token_emb[3] ~= 0x0200 then m:set("token_emb[3]", 0x0200) end
    end,
    ask { predict = "token_emb[3]", text = [[The machine will finish the whole token, 2953 clocks.
            What does token_emb[3] hold afterwards?]],
          after = "run until valid == 1", format = "value",
          hint = { "token_emb comes from outside: the machine only reads it" } },
    task = "Now take your change back, from here. Which word of the console does that?",
    check = function(m)
      return m.token_emb[3] ~= 0x0200, "token_emb[3] is still 0x0200"
    end,
    auto = function(m) if m.token_emb[3] == 0x0200 then m:undo() end end,
    hint = { "the page before has named it", "press : and type undo" },
    because = [[As if you had never changed it: the machine is in the same cycle as before, and it has
      computed everything again, without the change.]],
  },

  page {
    say = [[
      A run stops where you say. `run until CONDITION` goes forward, `rev until CONDITION`
      backward, and `break CONDITION` stops every run.]],
    init = function(m) m:configure{} end,
    ask { predict = "smax.i", format = "int",
          text = [[`run until smax.state == SUM`: the softmax has gone over all 128 scores and is
            about to add them up. At which index (smax.i) does it begin?]],
          after = "run until smax.state == SUM",
          hint = { "every pass begins at the first element" } },
    ask { predict = "top.state", text = "And in which state is the main state machine at that time?",
          after = function() end,
          hint = { "the softmax belongs to the attention", "look at the top line" } },
    task = "Now run until the token is finished. The flag `valid` is 1 then.",
    check = function(m)
      if m.valid == 1 then return true end
      if m.token == 0 then return false, "valid is still 0" end
      local mark = m:mark() -- t goes one clock too far
      m:rev("valid == 1")
      local at = m.cycle
      m:restore(mark)
      return false, ("valid is 0 again. It was 1 in cycle %d only: %s goes back there"):format(at,
        m.cycle == at + 1 and "b" or "`:rev until valid == 1`")
    end,
    auto = "run until valid == 1",
    hint = { "`:run until` and a condition, as in the first question", "`:run until valid == 1`" },
  },

  page {
    say = [[
      So what is the machine for? Until now it has worked on numbers that mean nothing. Here it has
      been trained, on English words, a letter at a time. Each letter is a token. What comes out is a
      guess at the next letter. ^ marks the start of a word.

      View M shows the letters, who looked at whom, and the guesses.]],
    show = "model", set = { model = "repaired", preset = "repaired", text = "quart" },
    ask { predict = guess, format = "letter", after = function(m) finish_token(m, 1) end,
          text = "The word is `quart`. The machine will take ^ and q. Which letter does it guess next?",
          hint = { "what follows a q in English?" }, because = guesses_text },
    ask { predict = guess, format = "letter", after = function(m) finish_token(m, 2) end,
          text = "And after `qu`?",
          hint = { "a vowel", "each t takes one letter more; view M then shows the guess after the one before" },
          because = guesses_text },
    ask { predict = guess, format = "letter",
          after = function(m)
            m:configure{ text = "natio" }
            finish_token(m, 5)
          end,
          text = "Another word: `natio`. Next?", wrong = { "u" }, because = guesses_text },
  },

  page {
    say = [[
      How will it know, when the o comes, that this is `nation` and not `photo`? It has to look back.
      That is what attention does. Four heads look back, each in its own way. The machine has taken
      ^ n a t i, and stands on the i. View M has a row for each head: how much, in percent, it looks
      from the i to each letter.]],
    show = "model", set = { text = "natio" },
    init = function(m) finish_token(m, 4) end,
    ask { predict = function(m) return looks_at(m, 0) end, format = "letter",
          text = "Which letter does head 0 look at most? (^ counts as one)",
          wrong = { "i", "^" }, hint = { "the largest number in its row, and the letter above it" } },
    ask { predict = function(m) return looks_at(m, 2) end, format = "letter", text = "And head 2?",
          wrong = "t", hint = { "the row of head 2: the largest number there" } },
    ask { predict = function(m) return looks_at(m, 0) end, after = function(m) finish_token(m, 5) end, format = "letter",
          text = "Now predict: the next letter is o. Which one will head 0 look at?",
          wrong = { "t", "o", "^" },
          hint = { "does it look at a certain letter, or at a certain distance?" },
          because = "One letter back, whatever the letter is. Nobody told it to: it was trained to guess." },
  },

  page {
    say = [[
      Now a word of your own. `:text` and a word begins again with it. t takes a letter, and view M
      shows what the machine guesses next. When your letters are used up it goes on with its own
      guesses.]],
    show = "model", set = { text = "natio" },
    init = function(m) m:goto_(0) end,
    task = "Give it a word of your own, of four letters or more, and let it take at least four.",
    check = function(m)
      if m.letters:sub(1, 5) == "^nati" or m.letters:sub(1, 5) == "^quar" then
        return false, "that is not a word of your own"
      elseif m.token < 4 then
        return false, ("it has taken %d letters of a word"):format(m.token)
      end
      return true
    end,
    auto = { "text hello", "token +4" },
    hint = { "press : and type text hello, Enter, Esc; then t four times", "`:text hello`, then `:token +4`" },
    because = function(m) return guesses_text(m) .. " The states and numbers of the next lessons make these guesses." end,
  },

  page {
    say = [[
      That is nearly all. ? shows every key of the pane you are in, and what it does; Esc leaves
      it. q leaves the program: the lesson remembers the page that you were on.]],
    ask { choice = "Something unexpected is on the screen. Which key first?",
          options = { "?", "q", "Ctrl-C" }, answer = "?",
          because = "? is always safe: it changes nothing." },
  },
}
