-- Which letter looks at which: the trained model of English words, its heads, and what masks cost.
-- (Lesson 00 ends with the same model.)

local list = {}
for word in ([[nation under table string machine pattern letter reader model counter ladder silver
  window garden market]]):gmatch("%a+") do list[#list + 1] = word end

-- Words that training has not seen; a page says so, and checks it.
local unseen = {}
for word in ([[abbots acrostic alkali anniversaries arrested authoring barbarisms begrudged bisons bonds
  brisked butcher caparisoned censure chicle clattering collegians concreted controversial
  courtships cruellest dared defect descendent digraphs disseminates dowsed easygoing
  emigration enunciates excavate fags fiestas flaw forestation furloughing gesturing
  gondolier grouped handling hell hoofs imitate incites ingenuously interlocked jagged
  keyboarders landslid lengthened locus lyrical mare metal misrules motorize nautiluses
  nominally oblong orthography panicked paved periscopes pilling plunk postmortems pressing
  prohibitive punctuate quotas reception reforest renounced rethought riverside runaround
  scammer seamanship shampoo shushed slenderer socializing sphinx starboard]]):gmatch("%a+") do
  if words.held_out(word) then unseen[#unseen + 1] = word end
end

local function finish_token(m, token)
  m:goto_(0)
  if token > 0 then m:to_token(token) end
  m:until_("valid == 1")
end

local function positions(word)
  local texts = {}
  for i = 1, #word do texts[i] = ("%s %d"):format(word:sub(i, i), i) end
  return table.concat(texts, ", ")
end

local function guess(m) return m.guesses[1].letter end

local function percent(p) return ("%.0f %%"):format(100 * p) end

local function guesses_text(m)
  local texts = {}
  for i, g in ipairs(m.guesses) do texts[i] = ("%s %s"):format(g.letter, percent(g.p)) end
  return table.concat(texts, ", ")
end

-- The position that a head looks at most, and the sum over those that it may look at.
local function looks_at(m, head)
  local best, sum = 0, 0
  for t = 0, m.token do
    local p = m.probs[head][t]
    sum = sum + p
    if p > m.probs[head][best] then best = t end
  end
  return best, sum
end

-- Over all words of the list: how often head h looks h + 1 letters back, where there are so many.
local statistics
local function look_back()
  if statistics then return statistics end
  statistics = {}
  for head = 0, 3 do statistics[head] = { hits = 0, all = 0 } end
  for _, word in ipairs(list) do
    local m = machine.create{ model = "repaired", text = word }
    for t = 1, #word do
      finish_token(m, t)
      for head = 0, 3 do
        if t > head then
          local s = statistics[head]
          s.all = s.all + 1
          s.hits = s.hits + (looks_at(m, head) == t - head - 1 and 1 or 0)
        end
      end
    end
  end
  return statistics
end

local function silence(m, head)
  for d = 0, m.config.d_head - 1 do m:set(("concat[%d]"):format(head * m.config.d_head + d), 0) end
end

local known = {} -- settings -> bits a letter
local function bits(settings)
  known[settings] = known[settings] or
    math.floor(1000 * machine.create(settings):score(unseen) + 0.5) / 1000
  return known[settings]
end

local repaired, swapped = { model = "repaired" }, { model = "repaired", preset = "minus8" }
local dice = { model = "repaired", preset = "deck" }
local at_home = { model = "minus8" }

return lesson {
  id = "11-attention", title = "Which letter looks at which", minutes = 18,
  needs = { "00-keys", "02-q88" },
  about = "The machine guesses letters; what its heads look at, what a mask costs.",
  setup = { model = "repaired", text = "quart" },

  page {
    say = function(_, v)
      return ([[Lesson 00 has shown it: trained on English words, this machine guesses the next letter, and
        its heads look back. In `natio`, from the i, head 0 looked at the t: one letter back. Head 2
        looked at the n: three back. View M shows it.

        Here is a word for you: %s. Its positions: ^ is 0, %s.]]):format(v.word, positions(v.word))
    end,
    claim = function(m)
      m:configure{ text = "natio" }
      finish_token(m, 4)
      return m.letters == "^nati" and looks_at(m, 0) == 3 and looks_at(m, 2) == 1
    end,
    show = "model",
    init = function(m, v)
      v.word, v.at = list[v.random(5, #list)], 4
      m:configure{ text = v.word }
      while true do -- a place where the heads do as they mostly do
        finish_token(m, v.at)
        if looks_at(m, 0) == v.at - 1 and looks_at(m, 1) == v.at - 2 then break end
        v.at = v.at + 1
      end
      m:goto_(0)
    end,
    ask { predict = function(m) return (looks_at(m, 1)) end,
          after = function(m, v) finish_token(m, v.at) end,
          text = function(_, v)
            return ("From position %d (%s), which position will head 1 look at most?"):format(v.at, v.word:sub(v.at, v.at))
          end,
          wrong = function(_, v) return v.at - 1 end,
          hint = { "heads 0 and 2 look one and three letters back. And head 1?", "two letters back" } },
    ask { choice = "What have the heads learned?",
          options = { "each looks at one letter of the alphabet", "head 0 one letter back, head 1 two, head 2 three",
                      "all look at the start of the word" },
          answer = function()
            local s = look_back()
            for head = 0, 2 do
              if 2 * s[head].hits < s[head].all then return "all look at the start of the word" end
            end
            return "head 0 one letter back, head 1 two, head 2 three"
          end,
          hint = { "try other words: `:text window`, then t and n" },
          because = function()
            local s = look_back()
            return ([[Counted over %d words: head 0 looks one back in %d of %d places, head 1 two back in
              %d of %d, head 2 three back in %d of %d. Head 3 goes its own ways. Nobody told them;
              they were trained to guess.]]):format(#list, s[0].hits, s[0].all, s[1].hits, s[1].all, s[2].hits, s[2].all)
          end },
  },

  page {
    say = [[
      Is a head of any use? Take one away and see. What a head has found lies in 16 elements of
      `concat`, before the output projection. The lesson will set them to zero there. The word is
      `qu`, the last letter u.]],
    show = "model", set = { text = "qu" },
    init = function(m) m:configure{} end,
    ask { predict = guess, format = "letter",
          after = function(m)
            m:goto_(0)
            m:to_token(2)
            m:until_("attn.state == OUTPUT_PROJ")
            silence(m, 0)
            m:until_("valid == 1")
          end,
          text = "Without head 0: what does it guess after `qu`, if it sees a u and cannot look one letter back?",
          wrong = { "a" },
          mistake = function(given)
            if given == "a" then return "that is what it guesses when it sees the q. What follows a u most often: a vowel, or a consonant?" end
          end,
          hint = { "of run, sun, under, until: which letter is in all of them, behind the u?" },
          because = function(m) return ("Now: %s."):format(guesses_text(m)) end },
    ask { predict = function(m) return math.floor(100 * m.guesses[1].p + 0.5) end, tolerance = 15,
          after = function(m)
            m:configure{ text = "natio" }
            m:to_token(5)
            m:until_("attn.state == OUTPUT_PROJ")
            silence(m, 0)
            m:until_("valid == 1")
          end,
          text = "In `natio` it was nearly certain of the n. How certain is it of its first guess without head 0, in percent? (within 15)",
          wrong = { 96, 0 },
          hint = { "it still sees the o, and two, three letters back", "about a third of what it was" },
          because = function(m) return ("Now: %s."):format(guesses_text(m)) end },
  },

  page {
    say = [[
      Now the mask. A softmax goes over all 128 positions. Those that are not there yet must not
      count. The trained model runs with preset `repaired`: masked positions get exactly nothing.
      What a head gives to all positions together is 1.0, or 256 in the machine's numbers.]],
    show = "model", set = { text = "nation", preset = "repaired" },
    init = function(m) m:configure{} end,
    ask { predict = function(m) return select(2, looks_at(m, 0)) end, after = function(m) finish_token(m, 4) end,
          text = "At position 4 there are five letters to look at. What do head 0's numbers for those five add up to? (within 6)",
          tolerance = 6, wrong = { 51, 90 },
          hint = { "the others get nothing" },
          because = function(m)
            return ("%d: each product is rounded down, so a little is lost."):format(select(2, looks_at(m, 0)))
          end },
    ask { predict = function(m) return select(2, looks_at(m, 0)) end,
          after = function(m)
            m:configure{ preset = "minus8", text = "nation" }
            finish_token(m, 4)
          end,
          text = [[An older design masks with -8.0. The exp by pieces never reaches 0: a masked position
            keeps 4/256, and there are 123 of them. What will the same five add up to now? (within 25)]],
          tolerance = 25, wrong = { 252, 2, 180 },
          hint = { "the five have at least 256 together before dividing; the masked 123 have 123 * 4 = 492",
                   "256 * 256 / (256 + 492), or somewhat more" },
          because = function(m)
            return ("%d of 256. The rest looks at rows in which nothing has been written yet."):format(select(2, looks_at(m, 0)))
          end },
  },

  page {
    say = function()
      return ([[What does that cost? Let the model guess whole words, %d of them, none seen in training.
        A letter that comes, and was given the probability p, costs log2(1/p) bits. 27 letters (the end
        mark is one), guessed by throwing dice, cost %.2f bits each.]]):format(#unseen, math.log(27, 2))
    end,
    show = "model", set = { text = "nation", preset = "repaired" },
    ask { predict = function() return bits(repaired) end, format = "value", tolerance = 0.5,
          text = "How many bits a letter does the model need, with the mask that it was trained with? (within 0.5)",
          wrong = { 4.75, 1, 0 },
          hint = { "it knows much about letters, but not the word", "between 2 and 3" },
          because = function()
            local letters = #unseen -- their end marks
            for _, word in ipairs(unseen) do letters = letters + #word end
            return ("%.3f bits, over %d letters."):format(bits(repaired), letters)
          end },
    ask { predict = function() return bits(swapped) end, format = "value", tolerance = 0.3,
          text = "The same weights under minus8: how many bits? (within 0.3)", wrong = { 2.6, 4.75 },
          mistake = function(given) if given < 2.8 then return "two thirds of its attention go to positions that are not there: that must cost" end end,
          hint = { "something between what it needs and dice", "about half a bit more" },
          because = function()
            return ("%.3f: the leak costs %.2f bits a letter."):format(bits(swapped), bits(swapped) - bits(repaired))
          end },
    ask { choice = "And under the deck's mask of -128.0, which wraps around (lesson 06)?",
          options = { "about as many as with minus8", "about as many as dice", "fewer than repaired" },
          answer = function()
            local value, die = bits(dice), math.log(27, 2)
            if value < bits(repaired) then return "fewer than repaired" end
            return math.abs(value - die) < math.abs(value - bits(swapped)) and "about as many as dice"
              or "about as many as with minus8"
          end,
          hint = { "every masked position then counts as much as the best of the others" },
          because = function() return ("%.3f bits. All that training, and one carry."):format(bits(dice)) end },
  },

  page {
    say = [[
      There is a second model: the same training, from the first step on with the mask that leaks.
      It has never known another.]],
    show = "model",
    ask { choice = "How well will that one guess, under minus8?",
          options = { "as the first one under minus8", "nearly as well as the first one under repaired", "like dice" },
          answer = function()
            local value = bits(at_home)
            return math.abs(value - bits(repaired)) < math.abs(value - bits(swapped))
              and "nearly as well as the first one under repaired" or "as the first one under minus8"
          end,
          hint = { "can the weights do something about a leak that is always there?",
                   "the rows that it leaks to hold zeros: a loss of volume, nothing else" },
          because = function()
            return ("%.3f against %.3f bits."):format(bits(at_home), bits(repaired))
          end },
    ask { choice = "So what is it that costs so much?",
          options = { "a mask of -8.0", "to run weights on another machine than they were trained for", "having 128 positions" },
          answer = function()
            return bits(swapped) - bits(at_home) > bits(at_home) - bits(repaired)
              and "to run weights on another machine than they were trained for" or "a mask of -8.0"
          end,
          because = function()
            return ([[The leak itself: %.2f bits. The surprise: %.2f. That is why every bit matters: a
              model knows the machine that it was trained on.]]):format(bits(at_home) - bits(repaired), bits(swapped) - bits(at_home))
          end },
  },
}
