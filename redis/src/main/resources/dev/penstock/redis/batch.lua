-- Decides many requests in one go, each for itself and all or nothing; later ones see what earlier ones took.
--
-- The short way, for what nearly all requests are: token buckets and windows of one length, nothing held, no id, each
-- account once in a request. What turns out to be more (other numbers, holds, a clock that went back) is answered 2 and
-- changes nothing here: it is asked again the long way. The arithmetic is that of rules.lua, written out.
--
-- KEYS  the states, each once
-- ARGV  one text of numbers: counts of limits, of sorts of charges, and of the numbers at its end; per limit its kind
--       (0 bucket, 1 fixed, 2 sliding), tick, capacity, debt, n or the window, p, ceiling, its mark (0: none), and how a
--       state begins that was written under it; per sort its signs (1 enforced, 2 only peek, 4 the last of its request,
--       8 on a key that others are on too, 16 the only one of its request and on its key), its limit, from 1, and its
--       cost; then per charge its sort and its key, from 1. After one of sign 16 comes how many more of its sort follow,
--       each on the next key. Of a request, the enforced charges come first.
-- Answers one text of numbers: the time; per charge what became of its request (0 denied, 1 allowed, 2 the long way, 3 a
--       key that is no state of ours) and 4 more if the charge itself exceeded; a; and b and c, but not where all
--       limits are buckets whose rate has no rest, of which there never is any

local floor, spread, pack, unpack, rep, format = math.floor, unpack, struct.pack, struct.unpack, string.rep, string.format
local call, try, byte, find, type, KEYS = redis.call, redis.pcall, string.byte, string.find, type, KEYS
local limitCount, sortCount, numberCount, position = unpack('>I2I2I2', ARGV[1])
local limits, narrow = {}, true
for i = 1, limitCount do
  local kind, tick, capacity, debt, n, p, ceiling, mark, head
  kind, tick, capacity, debt, n, p, ceiling, mark, head, position = unpack('>BI4I7I7I7I7I7I2Bc0', ARGV[1], position)
  narrow = narrow and kind == 0 and n == 1
  local l = {kind = kind, tick = tick, capacity = capacity, debt = debt, n = n, p = p, ceiling = ceiling, mark = mark,
    base = markedBase(tick), head = head, length = #head, ticks = floor(now / tick), step = 0}
  -- Its mark and its base, seen from the letters of digits, which begin at 48.
  l.letters, l.zero = mark > 0 and mark + 48 * 1111, l.base - 48 * 111111111111111
  if kind == 0 then
    l.step = keyStep(l)
    l.isPlain = n == 1 and mark > 0 and l.ticks + capacity * p < l.base + MARKED_ROOM
  end
  limits[i] = l
end
local sorts = {}
for i = 1, sortCount do
  local signs, limit, cost
  signs, limit, cost, position = unpack('>BI2I7', ARGV[1], position)
  local l = limits[limit]
  local amount = cost * l.p
  local sort = {isEnforced = signs % 2 == 1, isLast = signs % 8 >= 4, isShared = signs % 16 >= 8, isAlone = signs >= 16,
    limit = l, cost = cost, isTaken = cost > 0 and signs % 4 < 2, room = l.capacity * l.p - amount,
    ticks = floor(amount / l.n), rest = amount % l.n}
  if sort.isAlone and sort.isTaken and l.isPlain then
    sort.added, sort.within = format('%d', amount), l.step - amount * l.tick
  end
  sorts[i] = sort
end
local numbers = {unpack('>' .. rep('I2', numberCount), ARGV[1], position)}
local states = call('MGET', spread(KEYS))
local was = {} -- per key, its rest when it was read, if it was written in short

-- A state in whatever form; or, after it, what becomes of a request on it.
local function read(k, l)
  local state = states[k]
  if not state then -- MGET is silent about other types, and SET would overwrite them
    return 0, 0, 0, call('EXISTS', KEYS[k]) == 1 and 3 or nil
  elseif isMarked(state) then
    local rest, time = tonumber(state:sub(1, 4)), tonumber(state:sub(5))
    if l.mark == 0 or rest < l.mark or rest >= l.mark + l.n then
      return 0, 0, 0, 2
    end
    was[k] = rest - l.mark
    return time + l.base, was[k], 0
  elseif state:sub(1, l.length) ~= l.head then
    return 0, 0, 0, 2
  elseif #state == l.length + 7 then
    local a = unpack('>I7', state, l.length + 1)
    return a, 0, 0
  elseif #state == l.length + 21 then
    local a, b, c = unpack('>I7I7I7', state, l.length + 1)
    return a, b, c
  end
  return 0, 0, 0, 3 -- cut short: an error here would be that of all who travel together
end

-- Numbers are told to Redis as texts of our own: some versions of it write a hundred million as 1e+8.
local addedLast, addedText, goneLast, goneText
local function untilGone(goes)
  if goes ~= goneLast then
    goneLast, goneText = goes, format('%d', floor((goes - now) / 1000) + 1 + SPARE_MS)
  end
  return goneText
end

-- Writes a state. When its key goes is only moved where it has to be: a bucket's in steps, a window's when it is a new one.
-- before is its time when it was read.
local function write(k, l, a, b, c, before)
  local goes, went
  if l.kind == 0 then
    local step = l.step
    goes, went = (a + 1) * l.tick, (before + 1) * l.tick
    goes, went = goes - goes % step + step, went - went % step + step
    if was[k] == b and a - l.base < MARKED_ROOM then
      if a - before ~= addedLast then
        addedLast = a - before
        addedText = format('%d', addedLast)
      end
      call('INCRBY', KEYS[k], addedText)
      if goes ~= went then
        call('PEXPIRE', KEYS[k], untilGone(goes))
      end
      return
    end
  elseif l.kind == 1 then
    goes, went = a + l.n, before + l.n
  else
    goes, went = (a + 2) * l.n * l.tick, (before + 2) * l.n * l.tick
  end
  local state = l.mark > 0 and marked(l.mark + b, a - l.base)
    or l.head .. (b == 0 and c == 0 and pack('>I7', a) or pack('>I7I7I7', a, b, c))
  if goes == went and states[k] then
    call('SET', KEYS[k], state, 'KEEPTTL')
  else
    call('SET', KEYS[k], state, 'PX', untilGone(goes))
  end
end

local width = narrow and 2 or 4
local answer = {now}
local sortOf, keyOf = {}, {} -- per charge
local limitOf, as, bs, cs, old = {}, {}, {}, {}, {} -- per key of several charges, its limit and state by now; its time when read
local i, place, at = 0, 2 - width, 1
local first, outcome = 1, 1 -- of the present request, its first charge and what becomes of it
while at < numberCount do
  local sort, from = sorts[numbers[at]], numbers[at + 1]
  local l, isShared, added, to = sort.limit, sort.isShared, sort.added, from
  local letters, zero, ticks, tick, step, room, within, more = l.letters, l.zero
  at = at + 2
  if sort.isAlone then
    to, at = from + numbers[at], at + 1
    ticks, tick, step, room, within, more = l.ticks, l.tick, l.step, sort.room, sort.within, sort.ticks
  end
  for k = from, to do
    i, place = i + 1, place + width
    local state, a, b, c = states[k], nil, 0, 0
    local known = isShared and limitOf[k]
    if known then
      a = as[k]
      if not narrow then
        b, c = bs[k], cs[k]
      end
      if known ~= l then
        outcome = 2
      end
    elseif state and #state == 19 then -- in short; by its letters, since tonumber takes as long as all the rest
      local m1, m2, m3, m4, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15 = byte(state, 1, 19)
      if m1 * 1000 + m2 * 100 + m3 * 10 + m4 == letters then
        a = t1 * 1e14 + t2 * 1e13 + t3 * 1e12 + t4 * 1e11 + t5 * 1e10 + t6 * 1e9 + t7 * 1e8 + t8 * 1e7 + t9 * 1e6
          + t10 * 1e5 + t11 * 1e4 + t12 * 1e3 + t13 * 100 + t14 * 10 + t15 + zero
      end
    end
    -- Most of all there is: a plain bucket in use, whose charge fits and leaves its key's time to live as it is.
    if added and a and a >= ticks and a - ticks <= room and (a + 1) * tick % step < within
      and type(try('INCRBY', KEYS[k], added)) == 'number' then
      answer[place], answer[place + 1] = 1, a + more
      if not narrow then
        answer[place + 2], answer[place + 3] = 0, 0
      end
      first = i + 1
    else
      local exceeded = 0
      if not a or not (known or find(state, '^%d+$')) then
        local other
        a, b, c, other = read(k, l)
        outcome = other or outcome
      elseif not known then
        was[k] = 0
      end
      if outcome < 2 then
        local fits
        if l.kind == 0 then
          local whole = a - l.ticks
          local backlog = whole < 0 and 0 or whole * l.n + b
          if backlog > l.ceiling then
            outcome = 2
          end
          fits = backlog <= sort.room
        elseif l.kind == 1 then
          local start = now - now % l.n
          if a > start then
            outcome = 2
          elseif a < start then
            a, b = start, 0
          end
          fits = b + sort.cost <= l.capacity
        else
          local window = floor(l.ticks / l.n)
          local ahead = window - a
          if ahead < 0 or c > l.capacity + l.debt then
            outcome = 2
          elseif ahead > 0 then
            a, b, c = window, 0, ahead == 1 and b or 0
          end
          local free = l.capacity - b - sort.cost
          fits = free >= 0 and c * (l.n - (l.ticks - a * l.n)) <= free * l.n
        end
        if isShared and outcome < 2 then
          limitOf[k], as[k] = l, a
          if not narrow then
            bs[k], cs[k] = b, c
          end
        end
        if not fits then
          exceeded = 4
          if outcome == 1 and sort.isEnforced then
            outcome = 0
          end
        end
      end
      answer[place], answer[place + 1] = exceeded, a
      if not narrow then
        answer[place + 2], answer[place + 3] = b, c
      end
      sortOf[i], keyOf[i] = sort, k

      if sort.isLast then
        local there = place
        for each = i, first, -1 do
          local made = sortOf[each]
          exceeded = answer[there]
          answer[there] = exceeded + outcome
          if exceeded + outcome == 1 and made.isTaken then
            local of, key = made.limit, keyOf[each]
            a, b, c = answer[there + 1], 0, 0
            if not narrow then
              b, c = answer[there + 2], answer[there + 3]
            end
            local before = a
            if of.kind == 0 then
              if a < of.ticks then
                a, b = of.ticks, 0
              end
              a, b = a + made.ticks, b + made.rest
              if b >= of.n then
                a, b = a + 1, b - of.n
              end
              answer[there + 1] = a
            else
              before = b > 0 and a or -1
              b = b + made.cost
            end
            if not narrow then
              answer[there + 2] = b
            end
            if not made.isShared then
              write(key, of, a, b, c, before)
            else
              as[key], old[key] = a, old[key] or before
              if not narrow then
                bs[key], cs[key] = b, c
              end
            end
          end
          there = there - width
        end
        first, outcome = i + 1, 1
      end
    end
  end
end

for k, before in pairs(old) do
  write(k, limitOf[k], as[k], bs[k] or 0, cs[k] or 0, before)
end
return pack('>I7' .. rep(narrow and 'BI7' or 'BI7I7I7', i), spread(answer))
