-- Decides many requests in one go, each for itself and all or nothing; later ones see what earlier ones took.
--
-- The short way, for what nearly all requests are: token buckets and windows of one length, nothing held, no id, each
-- account once in a request. What turns out to be more (other numbers, holds, a clock that went back) is answered 2 and
-- changes nothing here: it is asked again the long way. The arithmetic is that of rules.lua, written out.
--
-- KEYS  the states, each once
-- ARGV  one text of numbers: counts of limits and of charges; per limit its kind (0 bucket, 1 fixed, 2 sliding), tick,
--       capacity, debt, n or the window, p, ceiling, its mark (0: none), and how a state begins that was written under it;
--       per charge its signs (1 enforced, 2 only peek, 4 the last of its request), its key and its limit, from 1, and its
--       cost. Of a request, the enforced charges come first.
-- Answers one text of numbers: the time; per charge what became of its request (0 denied, 1 allowed, 2 the long way, 3 a
--       key that is no state of ours) and 4 more if the charge itself exceeded; a; and b and c, but not where all
--       limits are buckets whose rate has no rest, of which there never is any

local floor, spread, pack, unpack, rep, format = math.floor, unpack, struct.pack, struct.unpack, string.rep, string.format
local limitCount, chargeCount, position = unpack('>I2I2', ARGV[1])
local limits, narrow = {}, true
for i = 1, limitCount do
  local kind, tick, capacity, debt, n, p, ceiling, mark, head
  kind, tick, capacity, debt, n, p, ceiling, mark, head, position = unpack('>BI4I7I7I7I7I7I2Bc0', ARGV[1], position)
  narrow = narrow and kind == 0 and n == 1
  local l = {kind = kind, tick = tick, capacity = capacity, debt = debt, n = n, p = p, ceiling = ceiling, mark = mark,
    sign = format('%d', mark), base = markedBase(tick), head = head, length = #head, ticks = floor(now / tick), step = 0}
  if kind == 0 then
    l.step = keyStep(l)
  end
  limits[i] = l
end
local charges = {unpack('>' .. rep('BI2I2I7', chargeCount), ARGV[1], position)}

local states = redis.call('MGET', spread(KEYS))
local width = narrow and 2 or 4
local last = {} -- per key, which charge was its latest: the state after it lies in the answer
local old, was = {}, {} -- per key, its time when it was read, if it changes; and its rest, if it was written in short
local answer = {now}
local first, outcome = 1, 1
for i = 1, chargeCount do
  local at, place = 4 * i, width * i - width + 2
  local signs, k, cost = charges[at - 3], charges[at - 2], charges[at]
  local l, before, state = limits[charges[at - 1]], last[k], states[k]
  local exceeded, a, b, c, sign, time = 0, 0, 0, 0
  if state and #state == 19 then
    sign, time = unpack('c4c15', state)
  end
  if before then
    local there = width * before - width + 2
    a = answer[there + 1]
    if not narrow then
      b, c = answer[there + 2], answer[there + 3]
    end
    if charges[4 * before - 1] ~= charges[at - 1] then
      outcome = 2
    end
  elseif sign and (sign == l.sign or isMarked(state)) then
    local rest = sign == l.sign and 0 or (tonumber(sign) or 0) - l.mark
    time = tonumber(time)
    if not time or rest < 0 or rest >= l.n or l.mark == 0 then
      outcome = 2
    else
      a, b = time + l.base, rest
      was[k] = rest
    end
  elseif state then
    if state:sub(1, l.length) ~= l.head then
      outcome = 2
    elseif #state == l.length + 7 then
      a = unpack('>I7', state, l.length + 1)
    elseif #state == l.length + 21 then
      a, b, c = unpack('>I7I7I7', state, l.length + 1)
    else
      outcome = 3 -- cut short: an error here would be that of all who travel together
    end
  elseif redis.call('EXISTS', KEYS[k]) == 1 then -- MGET is silent about other types, and SET would overwrite them
    outcome = 3
  end
  if outcome < 2 then
    local fits
    if l.kind == 0 then
      local whole = a - l.ticks
      local backlog = whole < 0 and 0 or whole * l.n + b
      if backlog > l.ceiling then
        outcome = 2
      end
      fits = cost <= l.capacity and backlog + cost * l.p <= l.capacity * l.p
    elseif l.kind == 1 then
      local start = now - now % l.n
      if a > start then
        outcome = 2
      elseif a < start then
        a, b = start, 0
      end
      fits = b + cost <= l.capacity
    else
      local window = floor(l.ticks / l.n)
      local ahead = window - a
      if ahead < 0 or c > l.capacity + l.debt then
        outcome = 2
      elseif ahead > 0 then
        a, b, c = window, 0, ahead == 1 and b or 0
      end
      local free = l.capacity - b - cost
      fits = free >= 0 and c * (l.n - (l.ticks - a * l.n)) <= free * l.n
    end
    if outcome < 2 then
      last[k] = i
    end
    if not fits then
      exceeded = 4
      if outcome == 1 and signs % 2 == 1 then
        outcome = 0
      end
    end
  end
  answer[place], answer[place + 1] = exceeded, a
  if not narrow then
    answer[place + 2], answer[place + 3] = b, c
  end

  if signs >= 4 then
    for each = first, i do
      at, place = 4 * each, width * each - width + 2
      exceeded, cost = answer[place], charges[at]
      answer[place] = exceeded + outcome
      if exceeded + outcome == 1 and cost > 0 and signs < 6 then
        k, l, a = charges[at - 2], limits[charges[at - 1]], answer[place + 1]
        b = narrow and 0 or answer[place + 2]
        if l.kind == 0 then
          old[k] = old[k] or a
          if a < l.ticks then
            a, b = l.ticks, 0
          end
          local amount = cost * l.p
          a, b = a + floor(amount / l.n), b + amount % l.n
          if b >= l.n then
            a, b = a + 1, b - l.n
          end
          answer[place + 1] = a
        else
          old[k] = old[k] or (b > 0 and a or -1)
          b = b + cost
        end
        if not narrow then
          answer[place + 2] = b
        end
      end
    end
    first, outcome = i + 1, 1
  end
end

-- When a key goes is only moved where it has to be: a bucket's in steps, a window's when it is a new one.
local delta, text
for k = 1, #KEYS do
  if old[k] then
    local place = width * last[k] - width + 2
    local l, a, b, c = limits[charges[4 * last[k] - 1]], answer[place + 1], 0, 0
    if not narrow then
      b, c = answer[place + 2], answer[place + 3]
    end
    local goes, went
    if l.kind == 0 then
      goes, went = (a + 1) * l.tick, (old[k] + 1) * l.tick
      goes, went = goes - goes % l.step + l.step, went - went % l.step + l.step
    elseif l.kind == 1 then
      goes, went = a + l.n, old[k] + l.n
    else
      goes, went = (a + 2) * l.n * l.tick, (old[k] + 2) * l.n * l.tick
    end
    local stays = states[k] and goes == went
    if stays and was[k] == b and a - l.base < MARKED_ROOM then
      if a - old[k] ~= delta then
        delta = a - old[k]
        text = format('%d', delta)
      end
      redis.call('INCRBY', KEYS[k], text)
    else
      local state = l.mark > 0 and marked(l.mark + b, a - l.base)
        or l.head .. (b == 0 and c == 0 and pack('>I7', a) or pack('>I7I7I7', a, b, c))
      if stays then
        redis.call('SET', KEYS[k], state, 'KEEPTTL')
      else
        redis.call('SET', KEYS[k], state, 'PX', format('%d', floor((goes - now) / 1000) + 1 + SPARE_MS))
      end
    end
  end
end
return pack('>I7' .. rep(narrow and 'BI7' or 'BI7I7I7', chargeCount), spread(answer))
