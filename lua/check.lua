-- `lesson --check`: a lesson played with its own solutions, for several pupils, without a screen.
local core = ...
local answer = core.answer
local text_of, act, judge = answer.text_of, answer.act, answer.judge

local ABOUT_MOST <const> = 75 -- of a line of 80 columns, set in

-- Answers that must not be taken: the author's, or some that are near.
local function wrong_answers(run, ask, right)
  local texts = {}
  if ask.wrong ~= nil then
    local function add(wrong)
      if type(wrong) == "function" then wrong = wrong(run.m, run.v) end
      if type(wrong) == "table" then
        for _, one in ipairs(wrong) do add(one) end
        return
      end
      texts[#texts + 1] = type(wrong) == "number" and ask.kind ~= "choice" and
        answer.number_text(answer.format_of(run, ask), wrong) or tostring(wrong)
    end
    add(ask.wrong)
    if ask.kind ~= "choice" then return texts end
  end
  if ask.kind == "choice" then -- all its other options as well
    for i = 1, #ask.options do
      if i ~= right then texts[#texts + 1] = tostring(i) end
    end
    return texts
  elseif answer.format_of(run, ask) == "state" then
    return { right == "IDLE" and "DONE" or "IDLE" }
  elseif answer.format_of(run, ask) == "letter" then
    return { right == "e" and "a" or "e" }
  end
  local step = 2 * (ask.tolerance or 0) + 1
  return { answer.number_text(answer.format_of(run, ask), right + (answer.in_hex(answer.format_of(run, ask)) and 1 or step)) }
end

-- What the texts say in words of their own must be so.
local function check_claim(run, item, fail)
  if not item.claim then return end
  local mark = run.m:mark()
  local ok, reason = item.claim(run.m, run.v)
  run.m:restore(mark)
  if not ok then fail(item.where, "what it claims is not so: " .. tostring(reason or "no reason given")) end
end

-- All texts can be read, and what the views are to show is there.
local function check_texts(run, item)
  for _, hint in ipairs(item.hint) do text_of(run, hint) end
  if item.cursor then run.m:get(item.cursor) end
  for _, name in ipairs(item.highlight or {}) do run.m:get(name) end
end

local function check_ask(run, ask, fail)
  run.at = ask.where
  check_texts(run, ask)
  local mark, asked = run.m:mark(), run.asked
  local right = answer.right(run, ask)
  local right_text = ask.kind == "choice" and tostring(right) or answer.text(run, ask, right)
  run.asked = asked
  if ask.kind == "predict" then run.m:step(3) end -- a pupil who looks ahead
  local ok, reason = judge(run, ask, right_text)
  if not ok then fail(ask.where, ("its own answer %s is not accepted after looking ahead: %s"):format(right_text, reason)) end
  run.asked = asked
  run.m:restore(mark)
  local hash = run.m:hash()
  for _, text in ipairs(wrong_answers(run, ask, right)) do
    local ok, why, unreadable = judge(run, ask, text)
    if ok then fail(ask.where, ("the wrong answer %s is accepted"):format(text)) run.m:restore(mark) end
    if unreadable == true then fail(ask.where, ("the wrong answer %s cannot even be read: %s"):format(text, why)) end
    if run.m:hash() ~= hash then fail(ask.where, "a wrong answer has moved the machine") run.m:restore(mark) end
  end
  ok, reason = judge(run, ask, right_text)
  if not ok then fail(ask.where, ("its own answer %s is not accepted: %s"):format(right_text, reason)) end
  check_claim(run, ask, fail)
end

local function check_task(run, page, fail)
  run.at = page.where
  if page.check(run.m, run.v) then fail(page.where, "the check holds before anything has been done") end
  act(run, page.auto)
  local ok, reason = page.check(run.m, run.v)
  if not ok then fail(page.where, "its own solution does not pass: " .. tostring(reason or "no reason given")) end
end

local function check_page(run, i, fail)
  local page = run.lesson[i]
  if i == 1 then run:enter(1) else run:leave(i) end
  local hash = run.m:hash()
  run:enter(i)
  if run.m:hash() ~= hash then fail(page.where, "entered again, the machine is another one") end
  run:screen()
  check_texts(run, page)
  check_claim(run, page, fail)
  for k, ask in ipairs(page) do
    check_ask(run, ask, fail)
    run.solved[i][k] = "checked"
  end
  if page.check then check_task(run, page, fail) end
  for k = 1, core.tasks_of(page) do run.hints[i][k] = 99 end
  text_of(run, page.because)
end

-- Play the lesson with its own solutions, for several pupils: "pages questions predictions", then
-- a line "WHERE<tab>why" per expectation that does not hold. missing: those of its needs that are
-- nowhere, blanks between. taken: its id is that of a built-in lesson, and it is another; or nil.
function core.lesson_check(lesson, m, missing, taken)
  local failures, seen, questions, predictions = {}, {}, 0, 0
  local page
  local function fail(where, why)
    local line = ("%s\t%s%s"):format(where, page and ("page %d: "):format(page) or "", why)
    local kind = line:gsub("%S*%d%S*", "") -- the same of another pupil's numbers is told once
    if not seen[where .. kind] then failures[#failures + 1] = line end
    seen[where .. kind] = true
  end
  if (utf8.len(lesson.about or "", 1, -1, true) or 0) > ABOUT_MOST then
    fail(lesson.where, ("about has more than %d characters: the list cuts it off"):format(ABOUT_MOST))
  end
  local at
  function core.on_miss(command) fail(at.at, ("`%s` never comes true"):format(command)) end
  if taken then fail(lesson.where, ("id %s is a built-in lesson's"):format(lesson.id)) end
  for id in missing:gmatch("%S+") do
    fail(lesson.where, ("needs %s: there is no such lesson, neither beside this one nor built in"):format(id))
  end
  for seed = 1, 3 do
    local run = core.new_run(lesson, m, seed)
    for i = 1, #lesson do
      page, run.at, at = i, lesson[i].where, run
      local ok, why = pcall(check_page, run, i, fail)
      if not ok then
        -- An error of the lesson's own code says its line; what the machine refuses is the item's.
        local file = run.at:match("^(.*):%d+$") or run.at
        if type(why) ~= "string" or why:sub(1, #file + 1) == file .. ":" then error(why, 0) end
        fail(run.at, why)
        break
      end
    end
  end
  core.on_miss = nil
  for _, p in ipairs(lesson) do
    questions = questions + core.tasks_of(p)
    for _, ask in ipairs(p) do predictions = predictions + (ask.kind == "predict" and 1 or 0) end
  end
  return ("%d %d %d\n%s"):format(#lesson, questions, predictions, table.concat(failures, "\n"))
end

