-- `lesson --print`: a lesson as Markdown, with one pupil's numbers. The machine goes along by the
-- author's solutions, so that what later pages say of it is so.
local core = ...
local answer = core.answer

-- What Markdown would take for its own, outside of `code`.
local function escape(text)
  local out = {}
  for plain, code in (text .. "``"):gmatch("([^`]*)(`[^`]*`)") do
    plain = plain:gsub("[\\*<>_#|%[%]$]", "\\%0"):gsub("(%w)\\_(%w)", "%1_%2"):gsub("%s\\%*%s", " * ")
    out[#out + 1] = plain .. (code == "``" and "" or code)
  end
  return table.concat(out)
end

local function wrap(text, indent)
  local lines, line = {}, ""
  for word in text:gmatch("%S+") do
    local joined = line .. word
    local width = utf8.len(joined, 1, -1, true) or #joined -- no UTF-8: a column a byte
    if line ~= "" and width > 94 - #indent then
      lines[#lines + 1] = line
      line = ""
    end
    -- A number or a dash that begins a line would begin a list.
    if line == "" and #lines > 0 and word:find("^[%d%-+]+[.)]?$") then
      local head, last = lines[#lines]:match("^(.*%S)%s+(%S+)$")
      if head then lines[#lines], word = head, last .. " " .. word end
    end
    line = line == "" and word or line .. " " .. word
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n" .. indent)
end

-- prefix: Markdown that stands before the first of them.
local function paragraphs(text, prefix)
  local out = {}
  for paragraph in core.paragraphs(text):gsub("\n\n", "\1"):gmatch("[^\1]+") do
    out[#out + 1] = wrap((#out == 0 and prefix or "") .. escape(paragraph), "")
  end
  return table.concat(out, "\n\n")
end

local function print_ask(run, add, name, ask, solutions)
  add(paragraphs(answer.prompt(run, ask), "**Question " .. name .. "** "))
  if ask.options then
    local options = {}
    for i, option in ipairs(ask.options) do
      options[i] = ("%d. %s"):format(i, wrap(escape(answer.kept_text(run, option)), "   "))
    end
    add(table.concat(options, "\n"))
  end
  local right = answer.right(run, ask)
  if not solutions then return add("Answer: ____________________") end
  add("Answer: **" .. escape(answer.text(run, ask, right)) .. "**")
  local why = answer.text_of(run, ask.because)
  if why ~= "" then add(paragraphs(why)) end
end

-- The solution of a task in words: its commands; a function of the author's has none.
local function solution(auto)
  if type(auto) == "string" then auto = { auto } end
  if type(auto) ~= "table" then return nil end
  local lines = {}
  for i, line in ipairs(auto) do lines[i] = "`:" .. line .. "`" end
  return table.concat(lines, ", ")
end

local function print_task(run, add, name, page, solutions)
  add(paragraphs(answer.kept_text(run, page.task or "Do it with the machine."), "**Task " .. name .. "** "))
  local asked = run.m:mark()
  answer.act(run, page.auto)
  if not solutions then return add("Done: ____________________") end
  local did = {}
  for line in core.did(run.m, asked):gmatch("[^\n]+") do did[#did + 1] = "`:" .. line .. "`" end
  if #did > 20 then did = { table.unpack(did, 1, 20) } did[21] = "..." end
  add("Solution: " .. (solution(page.auto) or table.concat(did, ", ")))
  local why = answer.text_of(run, page.because)
  if why ~= "" then add(paragraphs(why)) end
end

local function print_page(run, add, i, solutions)
  local page = run.lesson[i]
  add(("## Page %d"):format(i))
  if page.say then add(paragraphs(answer.kept_text(run, page.say))) end
  if page.play then add(paragraphs(answer.kept_text(run, page.play), "To try: ")) end
  for _, plot in ipairs(run.plots) do add("```\n" .. core.plot_lines(plot, 78, 40) .. "\n```") end
  for k, ask in ipairs(page) do print_ask(run, add, ("%d.%d"):format(i, k), ask, solutions) end
  if page.check then print_task(run, add, ("%d.%d"):format(i, #page + 1), page, solutions) end
end

function core.lesson_print(lesson, m, seed, solutions)
  local run, parts = core.new_run(lesson, m, math.tointeger(tonumber(seed))), {}
  local function add(text) parts[#parts + 1] = text end
  add("# " .. escape(lesson.title))
  add(("Lesson %s, %d minutes, seed %d%s."):format(escape(lesson.id), lesson.minutes, run.seed,
    solutions ~= "" and ", with solutions" or ". Name: ____________________"))
  for i = 1, #lesson do
    if i == 1 then run:enter(1) else run:leave(i) end
    print_page(run, add, i, solutions ~= "")
  end
  return table.concat(parts, "\n\n") .. "\n"
end
