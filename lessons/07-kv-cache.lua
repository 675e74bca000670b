-- The KV cache: what is kept, where it lies, how many bytes that is.

local function word_count(m, name)
  local rows, cols = table.unpack(m:info(name).dims)
  return rows * cols
end

local function cache_bytes(m)
  return (word_count(m, "K") * m:info("K").width + word_count(m, "V") * m:info("V").width) // 8
end

local function written_rows(m)
  local rows = 0
  for _, row in ipairs(m:get("K")) do
    for _, word in ipairs(row) do
      if word ~= 0 then
        rows = rows + 1
        break
      end
    end
  end
  return rows
end

local function finish_token(m, token)
  m:goto_(0)
  if token > 0 then m:to_token(token) end
  m:until_("valid == 1")
end

-- Which of token 0's vectors can still be found after token 1?
local function survivors(m)
  local mark, alive = m:mark(), {}
  finish_token(m, 0)
  local before = { q = m:get("q"), K = m:get("k"), V = m:get("v") }
  m:to_token(1)
  m:until_("valid == 1")
  local after = { q = m:get("q"), K = m:get("K")[1], V = m:get("V")[1] }
  for _, name in ipairs({ "q", "K", "V" }) do
    local same = true
    for i, word in ipairs(before[name]) do same = same and after[name][i] == word end
    if same then alive[#alive + 1] = name:lower() end
  end
  m:restore(mark)
  return table.concat(alive, " and ")
end

-- The scores that token 1 gives to token 0, a number for each head.
local function scores_of_row_0(m)
  local scores = {}
  for h = 0, m.config.n_heads - 1 do scores[h] = m.scores[h][0] end
  return scores
end

local function to_end_of_scores(m)
  m:goto_(0)
  m:to_token(1)
  m:until_("attn.state == SOFTMAX_PREP")
end

return lesson {
  id = "07-kv-cache", title = "The KV cache in bytes", minutes = 15, needs = { "02-q88" },
  about = "What is kept of past letters, where it lies, how many bytes that is.",

  page {
    say = [[
      A token comes in, and the attention makes three vectors of it: q, the question; k, by which it
      can be found; v, what it has to give. Then one state does nothing but write. Its name is
      WRITE_CACHE, and it takes one clock.]],
    show = "kv", cursor = "K[0][0]",
    init = function(m, v)
      m:configure{}
      v.dim = v.random(1, 63)
    end,
    ask { predict = function(m, v) return m.K[0][v.dim] end, format = "hex",
          text = function(_, v)
            return ([[The machine will run until it is in WRITE_CACHE; k is then ready. Which word
              does the cache hold in K[0][%d] in that cycle?]]):format(v.dim)
          end,
          after = "run until attn.state == WRITE_CACHE",
          wrong = function(m, v)
            local mark = m:mark()
            m:until_("attn.state == WRITE_CACHE")
            local word = m.k[v.dim]
            m:restore(mark)
            return word
          end,
          mistake = function() return "that will be there one clock later" end,
          hint = { "when does a memory take what a state writes?",
                   "a state's work is stored on the clock edge that ends it" },
          because = "The state is there, its edge has not come yet: the row is still as at power-up." },
    ask { predict = function(m, v) return m.K[0][v.dim] end, format = "hex",
          text = function(_, v) return ("And one clock later, K[0][%d]?"):format(v.dim) end,
          after = "step",
          hint = { function(_, v) return ("`:get k[%d]`, or view 2: the vector that is being written"):format(v.dim) end },
          because = "All 64 words of k went into row 0 on that one edge, and all of v into V." },
  },

  page {
    say = [[
      The next token comes in and makes a q, a k and a v of its own, in the same registers.]],
    show = "kv",
    init = function(m) m:configure{} end,
    ask { choice = "Token 1 has been through. Which vectors of token 0 can still be found in the machine?",
          options = { "q and k and v", "k and v", "q", "none of them" }, answer = survivors,
          hint = { "which of the three does anybody ask for again?",
                   "0, then t twice: compare q, row 0 of K and row 0 of V with what they were" },
          because = [[A question is asked once. What it is asked of is kept: that is why it is a KV
            cache and not a QKV cache.]] },
    ask { predict = written_rows, text = [[Three tokens will have gone through (positions 0, 1, 2).
            How many rows of K are then other than zero?]],
          after = function(m) finish_token(m, 2) end, wrong = { 128, 1, 2 },
          hint = { "one row for each position", "rows are written once, and never again" } },
  },

  page {
    hide = "deck",
    say = [[
      Now count. The view says how many positions and dimensions there are; a word of Q8.8 has 16
      bits. Do it by hand before you look at the view's first line.]],
    ask { number = "How many words does K have?",
          answer = function(m) return word_count(m, "K") end, wrong = { 64, 128, 1024 },
          hint = { "positions times dimensions", "128 * 64" } },
    ask { number = "And how many bytes have K and V together?", answer = cache_bytes,
          wrong = { 4096, 16384, 262144 },
          mistake = function(given)
            if given == 4096 then return "8 bits are a byte, but you have divided by 8 once too often" end
            if given == 16384 then return "that is one of the two" end
            if given == 262144 then return "those are the bits" end
          end,
          hint = { "two bytes a word, two memories", "128 * 64 * 2 * 2" },
          because = function(m) return ("%d bytes: %d KiB."):format(cache_bytes(m), cache_bytes(m) // 1024) end },
    ask { choice = [[The deck writes: 128 * 64 * 16 bits * 2 (K and V) = 32 768 bits = 4 KB. Where
            does it slip?]],
          options = { "32 768 is the number of bytes, not of bits", "it has forgotten V",
                      "it takes 1000 for 1024", "nowhere" },
          answer = function(m)
            local bits = word_count(m, "K") * m:info("K").width * 2
            return bits // 8 == 32768 and "32 768 is the number of bytes, not of bits" or "nowhere"
          end,
          hint = { "multiply its own four numbers" },
          because = function(m)
            return ("128 * 64 * 16 * 2 = %d. So the cache is eight times what the deck says."):format(
              word_count(m, "K") * m:info("K").width * 2)
          end },
  },

  page {
    say = [[
      The chip (FPGA) of the deck has 50 blocks of memory, named RAMB36. Each of them can be used as
      two smaller ones, RAMB18. One RAMB18 holds 1024 words of 16 bits. The deck puts the cache into
      two RAMB18.]],
    ask { number = "How many does it really take?",
          answer = function(m) return cache_bytes(m) * 8 // (1024 * 16) end, wrong = { 2, 8, 32 },
          mistake = function(given)
            if given == 8 then return "that is K alone" end
          end,
          hint = { "how many words are there altogether?", "16 384 words, 1024 each" },
          because = "Eight times the deck's two." },
    ask { number = "How many percent of the chip's RAMB18 is that?", format = "value",
          answer = function(m) return 100 * (cache_bytes(m) * 8 // (1024 * 16)) / (2 * 50) end, wrong = { 32, 8, 2 },
          mistake = function(given)
            if given == 32 then return "50 RAMB36 are more than 50 RAMB18" end
          end,
          hint = { "how many RAMB18 do 50 RAMB36 make?", "16 of 100" },
          because = "It fits, but not `comfortably in two`." },
    ask { choice = "Which of these makes the cache twice as large?",
          options = { "n_heads 8", "d_ff 512", "max_seq_len 256" },
          answer = function(m)
            local base = cache_bytes(m)
            for name, config in pairs({ ["n_heads 8"] = { n_heads = 8 }, ["d_ff 512"] = { d_ff = 512 },
              ["max_seq_len 256"] = { max_seq_len = 256 } }) do
              if cache_bytes(machine.create(config)) == 2 * base then return name end
            end
          end,
          hint = { "which numbers did you multiply?",
                   "more heads of the same d_model are narrower heads" },
          because = [[Heads cut the same 64 words into more pieces. Models that share k and v among
            heads do it to make this product smaller.]] },
  },

  page {
    say = [[
      A memory knows no positions and no dimensions, it knows addresses. Here they are
      position * d_model + dimension, in words.]],
    show = "kv",
    init = function(m, v)
      finish_token(m, 1)
      v.pos, v.dim, v.word = v.random(2, 127), v.random(1, 63), v.random(200, 8000)
    end,
    ask { number = function(_, v) return ("At which word address lies K[%d][%d]? (in hex)"):format(v.pos, v.dim) end,
          format = "hex", answer = function(m, v) return v.pos * m:info("K").dims[2] + v.dim end,
          hint = { function(_, v) return ("%d * 64 + %d"):format(v.pos, v.dim) end,
                   "the cursor in the view shows the address in its last lines" } },
    ask { number = function(_, v) return ("Which position does word 0x%04x belong to?"):format(v.word) end,
          answer = function(m, v) return v.word // m:info("K").dims[2] end,
          hint = { "divide by 64", "with d_model a power of two: drop the six lowest bits" },
          because = "No divider is needed: the upper bits of the address are the position." },
    task = [[Head 2 sees a quarter of each row only. Change one word of K[0] so that the score that
      token 1 gives it in head 2 becomes another, and no other head's does. Keys 0 and t lead to
      where token 1 begins: row 0 is written, and nobody has asked for it yet.]],
    check = function(m)
      local mark, fresh = m:mark(), machine.create({})
      to_end_of_scores(m)
      local now = scores_of_row_0(m)
      m:restore(mark)
      to_end_of_scores(fresh)
      local plain = scores_of_row_0(fresh)
      for h = 0, m.config.n_heads - 1 do
        if (now[h] ~= plain[h]) ~= (h == 2) then
          return false, ("the score of head %d is %s, without any change %s"):format(h, q88.hex(now[h]), q88.hex(plain[h]))
        end
      end
      return true
    end,
    auto = function(m)
      m:goto_(0)
      m:to_token(1)
      m:set("K[0][33]", 8.0)
    end,
    hint = { "a head has 16 dimensions: which are those of head 2?",
             "dimensions 32 to 47", "`:goto 0`, `:token +1`, `:set K[0][33] 8.0`" },
    because = "You have changed one word of the past. The next token asks it, and believes it.",
  },

  page {
    say = [[
      The cache saves work: k and v of the past are read, not computed again. But reading is work
      too. Each score reads a row of K, each weighted sum a row of V.]],
    show = "cycles",
    init = function(m, v)
      m:configure{}
      v.pos = v.random(20, 120)
    end,
    ask { number = function(_, v) return ("At position %d: how many bytes of K and V must the attention read?"):format(v.pos) end,
          answer = function(m, v) return 2 * (v.pos + 1) * m:info("K").dims[2] * m:info("K").width // 8 end,
          wrong = function(_, v) return v.pos * 256 end,
          mistake = function(given, _, v)
            if given == v.pos * 256 then return "do not forget the token's own row: it is already in the cache" end
          end,
          hint = { "positions 0 to p: that is p + 1 rows, of K and of V", "256 bytes for each position" },
          because = function(m, v)
            local bytes = 2 * (v.pos + 1) * m:info("K").dims[2] * m:info("K").width // 8
            return ([[And it does one multiplication with each word that it reads, %d of them. A large
              model does the same with gigabytes: it waits for its memory, not for its
              multipliers.]]):format(bytes // 2)
          end },
    ask { number = [[Without a cache, token p would have to make k of all tokens 0..p again. How many
            k vectors are that for the tokens 0 to 9 together?]],
          answer = function()
            local vectors = 0
            for p = 0, 9 do vectors = vectors + p + 1 end
            return vectors
          end, wrong = { 10, 100, 45 },
          hint = { "1 + 2 + 3 + ... + 10" },
          because = "55 in place of 10, and the gap grows with the square." },
    ask { predict = function(_, v)
            return cycles.count{ pos = v.pos }.measured - cycles.count{ pos = v.pos - 1 }.measured
          end,
          text = [[The machine reads whole rows at once. How many clocks does one more position
            cost? (Predict; it will step both tokens and count.)]],
          wrong = { 0, 1, 64 },
          hint = { "which stage goes over positions, and how often?",
                   "one score a clock, for each head", "the cycles view: compare pos 0 and pos 1" },
          because = "Four heads, one score each. The deck says: almost no effect. It is small, and it is there." },
    ask { predict = function()
            local variant = "stream"
            return cycles.count{ pos = 1, variant = variant }.measured - cycles.count{ pos = 0, variant = variant }.measured
          end,
          text = [[The deck's other machine, `stream`, reads one word a clock; each score takes it two
            clocks more, to begin and to store. What does one more position cost there?]],
          wrong = { 4, 64, 128, 72 },
          mistake = function(given)
            if given == 72 then return "those are the scores. The weighted sum reads V as well" end
            if given == 128 then return "those are the words. Count the two extra clocks of each score" end
          end,
          hint = { "K: 16 words and 2 clocks, for each of 4 heads. And V?", "4 * (16 + 2) + 64" },
          because = [[64 words of K, 64 of V, and the two clocks of four scores. When words come one by
            one, the cache costs time.]] },
  },
}
