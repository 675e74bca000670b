-- How a pupil's answer is read, what is right, and what the author's actions do. Nothing here is
-- kept: runner.lua takes the pupil through the pages.
local core = ...

-- ---- texts and actions of the author's ----

local function text_of(run, x)
  if type(x) == "function" then x = x(run.m, run.v) end
  return x == nil and "" or tostring(x)
end

-- A text as it was when the pupil first read it on this page: the machine has moved on since.
local function kept_text(run, x)
  if type(x) ~= "function" then return text_of(run, x) end
  local kept = run.texts[run.page]
  kept[x] = kept[x] or text_of(run, x)
  return kept[x]
end

local format_of

-- What the question asks; of a raw word always that it is wanted in hex. (What is predicted is not
-- read here: it has not come yet.)
local function prompt(run, ask)
  local text = ask[ask.kind]
  if ask.kind == "predict" then text = ask.text or ("What will %s be?"):format(ask.predict) end
  text = kept_text(run, text)
  local hex = ({ hex = true, word = true })[format_of(run, ask)]
  if ask.kind == "choice" or not hex or text:find("hex") then return text end
  local asks, colon = text:match("^(.-)(:?)%s*$")
  return asks .. " (hex)" .. colon
end

local function act(run, action)
  if type(action) == "function" then
    action(run.m, run.v)
  elseif type(action) == "table" then
    for _, line in ipairs(action) do run.m:cmd(line) end
  elseif action then
    run.m:cmd(action)
  end
end

-- ---- what was typed ----

-- Text typed for a number -> number in the unit of the format, the decimal places that were typed
-- (nil: it is exact), true when a % stood behind it; or nil and why not.
local parsers = {}

-- As screens write numbers: a minus of their own, blanks or commas between thousands, a share in %.
-- A comma that parts no thousands is a decimal one.
local function tidy(text)
  text = text:gsub("−", "-"):gsub("\u{a0}", ""):gsub("\u{202f}", ""):gsub("[%s_]", "")
  if text:find("^[-+]?[1-9]%d?%d?,%d%d%d") and not text:find(",%d%d%d%d") and not text:find(",%d?%d?$") then
    local joined = text:gsub(",(%d%d%d)", "%1")
    if not joined:find(",") then text = joined end
  end
  text = text:gsub("^([-+]?%d+),(%d+)", "%1.%2")
  local number = text:match("^(.-)%%$")
  return number or text, number ~= nil
end

local function plain(text)
  local share
  text, share = tidy(text)
  local a, b = text:match("^([-+]?[%d.]+)/(%d+)$")
  a = a and tonumber((a:gsub("^%+", "")))
  if a and tonumber(b) ~= 0 then return a / tonumber(b), nil, share end
  if not text:find("^[-+]?%.?%d[%d.eE+-]*$") then return end
  local places = text:match("^[-+]?%d*%.(%d*)$")
  return tonumber((text:gsub("^%+", ""))), places and #places, share
end

-- The Q8.8 word nearest to a value, when what was typed can be no other: three places tell them
-- all apart. A value that no word holds has none.
local function nearest_word(value, places)
  local raw = math.tointeger(value * 256)
  if not raw and places and places >= 3 then
    raw = math.floor(value * 256 + 0.5)
    if math.abs(raw / 256 - value) > 0.5001 * 10.0 ^ -places then return end
  end
  return raw and raw >= -32768 and raw <= 32767 and raw & 0xffff or nil
end

-- A word as its digits: where the question tells the value, that would be no answer.
function parsers.word(text)
  local bare, share = tidy(text)
  local digits = not share and (bare:match("^0[xX](%x+)$") or bare:match("^(%x+)$"))
  if digits and #digits <= 8 then return tonumber(digits, 16) end
  return nil, "a raw word in hex is wanted, like 0x00c8"
end

-- The same, or the value that it holds.
function parsers.hex(text)
  local word, why = parsers.word(text)
  if word then return word end
  local bare, share = tidy(text)
  local value, places = plain(text)
  local is_value = value and not share and bare:find("[./]")
  local raw = is_value and nearest_word(value, places)
  if raw then return raw end
  if is_value and places and places < 3 then return nil, why .. ", or its value with three places at least" end
  return nil, why .. " (or its value, three places behind the point)"
end

function parsers.int(text)
  local digits = text:match("^%s*0[xX](%x+)%s*$")
  local value, places, share
  if digits and #digits <= 8 then value = tonumber(digits, 16) else value, places, share = plain(text) end
  if value and (math.tointeger(value) or share) then return math.tointeger(value) or value, places, share end
  return nil, "a whole number is wanted"
end

local function is_shown_word(text)
  return text:find("^%x%x%x%x$") and (text:find("^0") or text:find("%a") and not text:find("^%d+[eE]%d+$"))
end

-- A value in figures: where the question tells the word, that would be no answer.
function parsers.decimal(text)
  local value, places, share = plain(text)
  if value then return value, places, share end
  return nil, "a number is wanted, like -0.25 or 1/256"
end

-- The same, or the word that holds it.
function parsers.value(text)
  local bare = tidy(text)
  local digits = bare:match("^0[xX](%x+)$")
  if not digits and is_shown_word(bare) then digits = bare end -- four digits as screens show a word
  if digits and #digits <= 4 then
    local raw = tonumber(digits, 16)
    return (raw >= 0x8000 and raw - 0x10000 or raw) / 256 -- the raw word of the value
  end
  return parsers.decimal(text)
end

function parsers.state(text) return (text:gsub("%s", ""):upper():gsub("^S_", "")) end

-- A character of a model; "'e'" and "E" are e.
function parsers.letter(text)
  local letter = text:match("^%s*['\"]?([!-~])['\"]?%s*$")
  if letter then return letter:lower() end
  return nil, "one letter is wanted"
end

-- Is `given` what `wanted` looks like with so many decimal places? It must tell a word of the
-- machine from its neighbours (three places), or keep three digits of any other number.
local function is_rounding(given, wanted, places)
  if not places or math.abs(given - wanted) > 0.5001 * 10.0 ^ -places then return false end
  return places >= 3 or math.abs(wanted) * 10.0 ^ places >= 100 and math.tointeger(wanted * 256) == nil
end

local function in_hex(format) return format == "hex" or format == "word" end

local same
function same(format, given, wanted, tolerance, places, share)
  if format == "state" or format == "letter" then return given == wanted end
  if in_hex(format) then
    local width = (wanted < -32768 or wanted > 65535 or given > 65535) and 0xffffffff or 0xffff
    return given & width == wanted & width
  end
  local near = math.abs(given - wanted) <= (tolerance or 0) or is_rounding(given, wanted, places)
  -- 13 % of something that the question counts from 0 to 1
  return near or share and math.abs(wanted) <= 1 and same(format, given / 100, wanted, tolerance, places and places + 2)
end

local function number_text(format, n)
  if in_hex(format) then
    return ("0x%04x"):format(n < 0 and n >= -32768 and n & 0xffff or n & 0xffffffff)
  end
  if (format == "value" or format == "decimal") and math.type(n) == "float" then return ("%.14g"):format(n) end
  return tostring(n)
end

function format_of(run, ask)
  if ask.format then return ask.format end
  if type(ask.predict) ~= "string" then return "int" end
  local kind = run.m:info((ask.predict:gsub("%[.*", ""))).type
  return kind == "state" and "state" or kind == "fixed" and "hex" or "int"
end

-- The index of an option: its number, else its text. (Not its place in the alphabet: a page may
-- speak of machines A, B and C.)
local function choice_index(run, ask, text)
  if ask.kind ~= "choice" then return end
  text = text:match("^%s*(.-)%s*$")
  local index = math.tointeger(tonumber(text))
  if index and index >= 1 and index <= #ask.options then return index end
  for i, option in ipairs(ask.options) do
    if kept_text(run, option):lower() == text:lower() then return i end
  end
end

-- What the text says: a number, a state, a letter or an option's index; or nil and what is wanted.
local function read_answer(run, ask, text)
  local index = choice_index(run, ask, text)
  if index then return index end
  if text:find("^%s*:") then return nil, "Esc leaves the question; then : takes commands" end
  if ask.kind ~= "choice" then return parsers[format_of(run, ask)](text) end
  return nil, ("one of 1..%d is wanted"):format(#ask.options)
end

-- One number, state, letter or index; whatever else the author has led to is an error of the lesson.
local function one_answer(run, ask, value)
  local format = ask.kind ~= "choice" and format_of(run, ask)
  local wanted = (format == "state" or format == "letter") and "string" or "number"
  if type(value) == "table" and type(ask.predict) == "string" then error(ask.predict .. ": needs the index of one element", 0) end
  if type(value) ~= wanted and (wanted == "number" or value == nil) then
    error(("its answer is a %s, not a %s"):format(type(value), wanted), 0)
  end
  return value
end

-- What the machine, or the author, says is right: a number, a state name, or an option's index.
-- For a prediction the machine moves on to the moment it speaks of, from where the question found
-- it: the pupil may have gone to look, and not come back.
local function right_answer(run, ask)
  if ask.kind == "predict" then
    run.m:restore(run.asked)
    act(run, ask.after)
    run.asked = run.m:mark()
    if type(ask.predict) == "function" then
      return one_answer(run, ask, (ask.predict(run.m, run.v)))
    end
    local format = format_of(run, ask)
    if format == "value" or format == "decimal" then return one_answer(run, ask, run.m:value(ask.predict)) end
    return one_answer(run, ask, run.m:get(ask.predict))
  end
  local answer = ask.answer
  if type(answer) == "function" then answer = answer(run.m, run.v) end
  if ask.kind == "choice" and type(answer) == "string" then
    for i, option in ipairs(ask.options) do
      if kept_text(run, option) == answer then return i end
    end
    error(("answer is none of the options: %s"):format(answer), 0)
  end
  if ask.kind == "choice" and type(answer) == "number" and not ask.options[answer] then
    error(("answer %s: the options are 1 to %d"):format(answer, #ask.options), 0)
  end
  return one_answer(run, ask, answer)
end

local function is_number(x) return type(x) == "number" end

local function answer_text(run, ask, answer)
  if ask.kind == "choice" then return kept_text(run, ask.options[answer]) end
  return number_text(format_of(run, ask), answer)
end

-- What is wrong with an answer that is nearly right: too few places, or a comma that could be either;
-- nil of any other.
local function near_miss(run, ask, text, given, wanted, places, share)
  local format = ask.kind ~= "choice" and format_of(run, ask)
  if format ~= "value" and format ~= "decimal" then return end
  if places and places >= 1 and not share and math.abs(given - wanted) <= 0.5001 * 10.0 ^ -places then
    return ("right so far: more places, please (three%s)"):format(math.tointeger(wanted * 256) and "" or " digits or more")
  end
  local pointed, count = text:gsub(",", ".")
  local value, digits, part = plain(pointed)
  if count == 1 and value and same(format, value, wanted, ask.tolerance, digits, part) then
    return "use a point for the decimals: " .. pointed
  end
end

-- ok, reason; as a third value true when it was no answer at all, "near" when it was nearly right; of
-- one that is right but rounded the exact one as a fourth.
local function judge(run, ask, text)
  local given, places, share = read_answer(run, ask, text)
  if given == nil then return false, places, true end
  local mark, asked = ask.kind == "predict" and run.m:mark(), run.asked
  local wanted = right_answer(run, ask)
  local ok
  if ask.kind == "choice" then ok = given == wanted
  else ok = same(format_of(run, ask), given, wanted, ask.tolerance, places, share) end
  if ok then
    local rounded = places and is_number(wanted) and given ~= wanted and not (share and given / 100 == wanted)
    local exact = rounded and answer_text(run, ask, wanted) or nil
    return true, text_of(run, ask.because), false, exact
  end
  if mark then run.m:restore(mark) end
  run.asked = asked
  local near = near_miss(run, ask, text, given, wanted, places, share)
  if near then return false, near, "near" end
  local mistake = ask.mistake and ask.mistake(given, run.m, run.v)
  return false, mistake or ask.kind == "predict" and
    "the machine will not agree: go there and look" or "that is not it"
end

core.answer = {
  text_of = text_of, choice_index = choice_index, kept_text = kept_text, prompt = prompt, act = act, read = read_answer, right = right_answer, text = answer_text, judge = judge,
  format_of = format_of, number_text = number_text, in_hex = in_hex,
}
