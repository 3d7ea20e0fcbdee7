-- Reads a rule from its text: the algorithm, tick in microseconds, capacity, debt, and the numbers that the algorithm
-- needs (see its file). Rule.java writes the text.

local newAlgorithms = {token_bucket = newTokenBucket, leaky_bucket = newLeakyBucket, fixed_window = newFixedWindow,
  sliding_window = newSlidingWindow, sliding_log = newSlidingLog, concurrency = newConcurrency, lockout = newLockout}
local algorithms = {} -- by name, created when first needed

local function readRule(text)
  local words = {}
  for word in string.gmatch(text, '%S+') do
    words[#words + 1] = tonumber(word) or word
  end
  local name = words[1]
  algorithms[name] = algorithms[name] or newAlgorithms[name]()
  local rule = {algorithm = algorithms[name], tick = words[2], capacity = words[3], debt = words[4]}
  if name == 'token_bucket' or name == 'leaky_bucket' then
    rule.n, rule.p, rule.ceiling, rule.mostBacklog = words[5], words[6], words[7], words[8]
  elseif name == 'fixed_window' and words[5] == 'every' then
    rule.length = words[6]
  elseif name == 'fixed_window' then -- words[5] is the name of the calendar, and its boundaries around now follow
    rule.boundaries = {}
    for i = 6, #words do -- there may be thousands, which is too many for unpack
      rule.boundaries[i - 5] = words[i]
    end
  elseif name == 'sliding_window' or name == 'sliding_log' then
    rule.window = words[5]
  elseif name == 'concurrency' then
    rule.ttl = words[5]
  elseif name == 'lockout' then
    rule.window, rule.lockout = words[5], words[6]
  end
  return rule
end
