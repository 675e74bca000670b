-- Multiply and accumulate: one element, then an array of them with operands flowing through; fill,
-- steady, drain; what `done` knows and what it does not.

-- Operands of the pupil's own: no zeros, so that every product can be seen.
local function matrix(v, rows, cols)
  local out = {}
  for r = 1, rows do
    out[r] = {}
    for c = 1, cols do out[r][c] = v.random(1, 9) end
  end
  return out
end

-- Make it the page's product, on an array of that size, and show it.
local function take(m, v, a, b, rows, cols)
  v.p = systolic.product(a, b, { rows = rows, cols = cols })
  m:configure{ pe_rows = rows, pe_cols = cols }
  screen.systolic(v.p)
end

local function sums(x)
  local rows, cols = x:size()
  local out = {}
  for r = 0, rows - 1 do
    for c = 0, cols - 1 do out[#out + 1] = x:acc(r, c) end
  end
  return table.concat(out, " ")
end

-- The edge (from 0) on which an element adds its first product.
local function first_product(p, r, c)
  local edge = 0
  while p:after(edge + 1):acc(r, c) == 0 do edge = edge + 1 end
  return edge
end

-- The edge behind which no sum changes any more.
local function final_edge(p)
  local last, edge = sums(p:after(p.edges + 4)), p.edges + 3
  while sums(p:after(edge)) == last do edge = edge - 1 end
  return edge
end

-- Products made, of those that the array could have made in that time, in percent.
local function use(p)
  local rows, cols = p:after(0):size()
  local made = 0
  for edge = 0, p.edges - 1 do made = made + p:busy(edge) end
  return 100 * made / (p.edges * rows * cols)
end

local function ones(rows, cols)
  local out = {}
  for r = 1, rows do
    out[r] = {}
    for c = 1, cols do out[r][c] = 1 end
  end
  return out
end

-- Edges of fill, steady and drain of a product that keeps all elements of a 4 x 4 array busy.
local function phases(k)
  local p, n, full = systolic.product(ones(4, k), ones(k, 4)), { 0, 0, 0 }, false
  for edge = 0, p.edges - 1 do
    local all = p:busy(edge) == 16
    full = full or all
    local phase = all and 2 or full and 3 or 1
    n[phase] = n[phase] + 1
  end
  return n
end

return lesson {
  id = "03-wavefront", title = "MAC and wavefront", minutes = 30, needs = { "00-keys" },
  about = "One multiplier, then 16: numbers flow, and a wire says done too early.",

  page {
    hide = "done",
    say = [[
      Nearly all that this machine does is this: multiply two numbers, add the product to a sum. A
      unit that does it once a clock edge is a MAC (multiply, accumulate), or an element.

      The systolic view (6) shows one. Numbers come in from the west (left) and from the north (top).
      There . is one edge forward and , one back. The array has a time of its own: the decoder does
      not move.]],
    init = function(m, v) take(m, v, matrix(v, 1, 3), matrix(v, 3, 1), 1, 1) end,
    ask { predict = function(_, v) return v.p:after(2):acc(0, 0) end,
          text = function(_, v)
            return ("West sends %d, %d, %d and north %d, %d, %d, one of each per edge. What is the sum after two edges?"):format(
              v.p.a[1][1], v.p.a[1][2], v.p.a[1][3], v.p.b[1][1], v.p.b[2][1], v.p.b[3][1])
          end,
          wrong = function(_, v) return v.p.a[1][2] * v.p.b[2][1] end,
          hint = { "first with first, second with second", "press 6, then . twice" } },
    ask { predict = function(_, v)
            local x = v.p:after(2)
            x:step{ a = { 9 }, b = { 9 }, enable = false }
            return x:acc(0, 0)
          end,
          text = "Now `enable` is low on an edge while 9 and 9 are at the inputs. What is the sum after it?",
          wrong = function(_, v) return v.p:after(2):acc(0, 0) + 81 end,
          hint = { "nothing is enabled: nothing moves" } },
    ask { predict = function(_, v)
            local x = v.p:after(2)
            x:step{ a = { 9 }, b = { 9 }, clear = true }
            return x:acc(0, 0)
          end,
          text = "And on an edge with `clear` and `enable` both high?",
          wrong = { 81 },
          hint = { "one of the two wins. Which would you want?" },
          because = "clear wins: the sum is 0, and the 9 * 9 of that edge is lost with it.",
          claim = function(_, v) return v.p:after(2):acc(0, 0) > 0 end },
  },

  page {
    hide = "done",
    say = [[
      Four of them make a 2 x 2 array. Each passes on what it received, to the east (right) and to the
      south (down), one edge later. Rows carry the rows of A, columns the columns of B, and every element
      makes one number of A x B. It is the example that everybody uses:
      [1 2; 3 4] x [5 6; 7 8] = [19 22; 43 50].]],
    claim = function(_, v) return sums(v.p:after(v.p.edges)) == "19 22 43 50" end,
    init = function(m, v) take(m, v, { { 1, 2 }, { 3, 4 } }, { { 5, 6 }, { 7, 8 } }, 2, 2) end,
    ask { predict = function(_, v) return v.p:after(1):acc(0, 0) end,
          text = "What is the sum of the first element, PE 0,0, after the first edge?",
          wrong = 19, hint = { "one product: the first of row 0 with the first of column 0" } },
    ask { predict = function(_, v) return first_product(v.p, 1, 1) end,
          text = "Edges count from 0. On which edge does the far corner, PE 1,1, add its first product?",
          wrong = { 0, 1, 3 },
          mistake = function(given)
            if given == 0 then return "its 3 has to pass PE 1,0 first, its 6 has to pass PE 0,1" end
          end,
          hint = { "step with . and watch PE 1,1", "row 1 starts one edge late, column 1 too" },
          because = [[Row 1 comes one edge later, so that its numbers meet the right ones. You see it as the two
            staircases at the edges of the picture.]] },
    ask { predict = function(_, v) return v.p:after(3):acc(1, 1) end,
          text = "And its sum after that edge?", wrong = { 50, 32 },
          hint = { "again the first with the first: row 1 of A, column 1 of B" } },
  },

  page {
    hide = "done",
    say = function(_, v)
      return ([[Now 4 x 4, and %d numbers in every row of A and column of B: K = %d. All elements that
        are at the same number k form a line across the array, the wavefront. Step with . and see
        it pass.]]):format(v.p.k, v.p.k)
    end,
    init = function(m, v)
      local k = v.random(8, 11)
      take(m, v, matrix(v, 4, k), matrix(v, k, 4), 4, 4)
      v.r, v.c = v.random(1, 3), v.random(1, 2)
    end,
    ask { predict = function(_, v) return first_product(v.p, v.r, v.c) end,
          text = function(_, v) return ("On which edge does PE %d,%d add its first product?"):format(v.r, v.c) end,
          wrong = function(_, v) return v.r * v.c + 7 end,
          hint = { "one edge for each element on the way",
                   function(_, v) return ("%d to the south and %d to the east"):format(v.r, v.c) end } },
    ask { predict = function(_, v) return v.p:busy(3) end,
          text = "How many of the 16 elements multiply on edge 3?", wrong = { 16, 4, 6 },
          hint = { "those whose first product was on edge 0, 1, 2 or 3",
                   "the diagonals of a 4 x 4 square: 1, 2, 3, 4 elements ..." } },
    ask { predict = function(_, v)
            local edge = 0
            while v.p:busy(edge) < 16 do edge = edge + 1 end
            return edge
          end,
          text = "Which is the first edge on which all 16 multiply?", wrong = { 3, 4, 7, 8 },
          hint = { "when the wave has reached the far corner", "PE 3,3 is six steps away" } },
  },

  page {
    hide = "done",
    say = "The same array, as a curve: how many elements multiply on each edge.",
    init = function(m, v)
      local k = v.random(8, 11)
      take(m, v, matrix(v, 4, k), matrix(v, k, 4), 4, 4)
    end,
    plot = function(_, v)
      local points = {}
      for edge = 0, v.p.edges do points[#points + 1] = { edge, v.p:busy(edge) } end
      screen.plot{ title = ("elements at work, K = %d"):format(v.p.k), height = 6, width = 40,
        table.unpack(points) }
    end,
    ask { choice = "It rises, stays up, and falls. Which of the three gets longer when K grows?",
          options = { "the rise: fill", "the top: steady", "the fall: drain" },
          answer = function(_, v)
            local short, long = phases(v.p.k), phases(v.p.k + 5)
            for phase = 1, 3 do if long[phase] > short[phase] then return phase end end
          end,
          hint = { "type a longer product: e in the systolic view", "the way to the far corner is always the same" } },
    ask { predict = function(_, v) return final_edge(v.p) + 1 end,
          text = function(_, v) return ("How many edges are needed until all 16 sums are final, with K = %d?"):format(v.p.k) end,
          wrong = function(_, v) return v.p.k end,
          hint = { "K for the first element, and then for the others ...",
                   function(_, v) return ("PE 3,3 begins 6 edges later: %d + 6"):format(v.p.k) end } },
    ask { number = function(_, v) return ("So how much of what the array could do in this time has it done, in percent? (%d edges, 16 elements)"):format(v.p.edges) end,
          format = "value", tolerance = 1,
          answer = function(_, v) return use(v.p) end,
          wrong = { 100 },
          hint = { "each of 16 elements makes K products",
                   function(_, v) return ("%d of %d"):format(16 * v.p.k, 16 * v.p.edges) end } },
  },

  page {
    hide = "done",
    say = [[
      How does the outside know when to take the sums? The array has a wire `done`, raised by a
      counter of edges. Back to the 2 x 2 example: [19 22; 43 50]. The view shows `done` too.]],
    init = function(m, v) take(m, v, { { 1, 2 }, { 3, 4 } }, { { 5, 6 }, { 7, 8 } }, 2, 2) end,
    ask { predict = function(_, v) return v.p:done_edge() end,
          text = "On which edge (from 0) does `done` rise?", wrong = { 0, 1, 3, 4 },
          hint = { "step with . and watch for done" } },
    ask { predict = function(_, v) return v.p:after(v.p:done_edge() + 1):acc(1, 1) end,
          text = "Whoever believes it takes the four sums at once. Which number comes from PE 1,1 then?",
          wrong = { 50, 32 },
          mistake = function(given)
            if given == 50 then return "that is what one hopes for. Stand at the edge where done rises, and read PE 1,1" end
          end,
          hint = { "when did PE 1,1 add its first product?" },
          because = function(_, v)
            return ("The four are %s. `done` comes when the first product has reached the far corner; the last one is still on its way."):format(
              sums(v.p:after(v.p:done_edge() + 1)))
          end },
  },

  page {
    hide = "done",
    say = function(_, v)
      return ([[Does `done` wait longer when there is more to do? Here is a product with K = %d on the same
        2 x 2.]]):format(v.p.k)
    end,
    init = function(m, v)
      local k = v.random(4, 8)
      take(m, v, matrix(v, 2, k), matrix(v, k, 2), 2, 2)
    end,
    ask { predict = function(_, v) return v.p:done_edge() end,
          text = "On which edge does `done` rise now?",
          wrong = function(_, v) return v.p.k + 1 end,
          mistake = function(given, _, v)
            if given == v.p.k + 1 then return "that would be of use. Look what it really does" end
          end,
          hint = { "what does the counter know of K?" },
          because = "The same edge as before: the counter knows rows and columns, and nothing of K.",
          claim = function(_, v) return v.p:done_edge() == 2 and v.p.k > 2 end },
    ask { predict = function(_, v) return final_edge(v.p) - v.p:done_edge() end,
          text = function(_, v) return ("So, with K = %d: how many more edges must one wait after `done` until all sums are right?"):format(v.p.k) end,
          wrong = function(_, v) return v.p.k end,
          hint = { "for K = 2 it was one", "K - 1" } },
  },

  page {
    hide = "done",
    say = [[
      An earlier design of this array raised `done` one edge later. That was called an error, and
      corrected. The key D in the systolic view brings it back. But was the earlier one always wrong?]],
    init = function(m, v)
      take(m, v, { { 1, 2 }, { 3, 4 } }, { { 5, 6 }, { 7, 8 } }, 2, 2)
      -- how long after `done` the sums come, for a K and a design
      v.late = function(k, legacy)
        local a, b = { {}, {} }, {}
        for i = 1, k do a[1][i], a[2][i], b[i] = i, i, { 1, 2 } end
        local p = systolic.product(a, b, { rows = 2, cols = 2, legacy = legacy })
        return final_edge(p) - p:done_edge()
      end
      v.exact = function(legacy)
        for k = 1, 8 do if v.late(k, legacy) == 0 then return k end end
      end
    end,
    ask { number = "For which K does the corrected `done` come exactly with the final sums?",
          answer = function(_, v) return v.exact(false) end, wrong = { 0, 2 },
          hint = { "one must wait K - 1 edges after it" } },
    ask { number = "And for which K did the earlier one?",
          answer = function(_, v) return v.exact(true) end, wrong = { 0, 1, 3 },
          hint = { "try it: d, then . until done, and look at the sums" },
          because = [[Just for the example that everybody tests with! A test with only one size cannot tell
            a right counter from a wrong one.]],
          claim = function(_, v) return v.exact(true) == 2 and v.late(2, false) == 1 end },
  },

  page {
    hide = "done",
    say = [[
      Last, what this machine does all day. It works on one token at a time: A has a single row. In the
      picture only one row of the array gets numbers.]],
    init = function(m, v)
      local k = v.random(8, 12)
      take(m, v, matrix(v, 1, k), matrix(v, k, 4), 4, 4)
    end,
    ask { predict = function(_, v)
            local most = 0
            for edge = 0, v.p.edges - 1 do most = math.max(most, v.p:busy(edge)) end
            return most
          end,
          text = "How many of the 16 elements multiply on the busiest edge?", wrong = { 16, 1, 8 },
          hint = { "one row", "step through it with ." } },
    ask { choice = "What would help?",
          options = { "an array of 8 x 8", "several tokens at once", "a larger K" },
          answer = function(_, v)
            local a = v.p.a[1]
            local uses = { use(systolic.product({ a }, ones(v.p.k, 8), { rows = 8, cols = 8 })),
              use(systolic.product({ a, a, a, a }, v.p.b)), use(systolic.product(ones(1, 60), ones(60, 4))) }
            local best = 1
            for i = 2, 3 do if uses[i] > uses[best] then best = i end end
            return best
          end,
          hint = { "which of them gives work to the rows that have none?", "`:systolic token` and `:systolic example` compare the two" },
          because = function(_, v)
            local a = v.p.a[1]
            return ("Your product uses %.0f %% of the array. With four tokens at once it is %.0f %%; one token of K = 60 still makes only %.0f %%, and on 8 x 8 your product makes %.0f %%."):format(
              use(v.p), use(systolic.product({ a, a, a, a }, v.p.b)), use(systolic.product(ones(1, 60), ones(60, 4))),
              use(systolic.product({ a }, ones(v.p.k, 8), { rows = 8, cols = 8 })))
          end },
  },
}
