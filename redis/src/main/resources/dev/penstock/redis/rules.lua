-- The arithmetic of the algorithms, the same as in dev.penstock.internal.algorithm, under the same names.
--
-- A state has three numbers, a, b and c, and the numbers that it was written under. A rule is a table of numbers too:
-- tick, capacity, debt, and what its kind needs. An account x adds what is held, and a log's entries. All times are in
-- microseconds. Every sum, product and quotient is a whole number below 2^53, so doubles are exact.

local floor, ceil, min, max = math.floor, math.ceil, math.min, math.max

-- floor(x * y / z) for x < z, where the product may exceed 2^53: bit by bit, and no further than most.
local function productOver(x, y, z, most)
  local bits, result, rest = {}, 0, 0
  while y > 0 do
    bits[#bits + 1] = y % 2
    y = floor(y / 2)
  end
  for i = #bits, 1, -1 do
    result = result * 2
    if rest >= z - rest then
      rest, result = rest - (z - rest), result + 1
    else
      rest = rest + rest
    end
    if bits[i] == 1 then
      if rest >= z - x then
        rest, result = rest - (z - x), result + 1
      else
        rest = rest + x
      end
    end
    if result > most then
      return most + 1, 0
    end
  end
  return result, rest
end

-- Token bucket and leaky bucket: a whole ticks and b n-ths, the time at which the bucket is full again.
local bucket = {}

-- What is not yet back, in n-ths of a tick, by the numbers that the state was written under.
local function backlog(s, nowTicks)
  local under = s.under
  local whole = s.a - nowTicks
  if whole < 0 then
    return 0
  end
  if whole > floor(under.ceiling / under.n) then
    return under.ceiling
  end
  return min(whole * under.n + s.b, under.ceiling)
end

local function writeBacklog(s, r, nowTicks, amount)
  s.a = nowTicks + floor(amount / r.n)
  s.b = amount % r.n
end

-- What was used stays used, at the new rate; more than this limit could owe is kept under a ceiling of its own.
function bucket.adopt(s, r, now)
  local old = s.under
  if old.tick == r.tick and old.capacity == r.capacity and old.debt == r.debt and old.n == r.n and old.p == r.p
      and old.ceiling == r.ceiling then
    s.under = r
    return false
  end
  local used = backlog(s, floor(now / old.tick))
  local permits, rest = floor(used / old.p), used % old.p
  local mine = r.most
  if permits <= r.most / r.p then
    local share, left = productOver(rest, r.p, old.p, r.most)
    mine = min(permits * r.p + share + (left > 0 and 1 or 0), r.most)
  end
  s.under = r
  if mine > r.ceiling then
    s.under = setmetatable({ceiling = mine}, {__index = r})
  end
  if mine > 0 then
    writeBacklog(s, r, floor(now / r.tick), mine)
  else
    s.a, s.b = 0, 0
  end
  return true
end

-- True if the clock had gone back, and the state was repaired: that is stored whatever the outcome.
function bucket.roll(s, r, now)
  local nowTicks = floor(now / r.tick)
  local whole = s.a - nowTicks
  local ceilingTicks = floor(s.under.ceiling / s.under.n)
  if whole < ceilingTicks then
    return false
  end
  local amount = backlog(s, nowTicks)
  if whole <= ceilingTicks and whole * r.n + s.b == amount then
    return false
  end
  writeBacklog(s, r, nowTicks, amount)
  return true
end

function bucket.fits(s, r, x, cost, now)
  local wanted = x.held + cost
  return wanted <= r.capacity and backlog(s, floor(now / r.tick)) + wanted * r.p <= r.capacity * r.p
end

function bucket.charge(s, r, x, cost, now)
  if cost == 0 then
    return
  end
  local nowTicks = floor(now / r.tick)
  if s.a < nowTicks then
    s.a, s.b = nowTicks, 0
  end
  local amount = cost * r.p
  s.a = s.a + floor(amount / r.n)
  s.b = s.b + amount % r.n
  if s.b >= r.n then
    s.a, s.b = s.a + 1, s.b - r.n
  end
end

function bucket.force(s, r, x, cost, at)
  local atTicks, most = floor(at / r.tick), r.capacity + r.debt
  local before = backlog(s, atTicks)
  local after = min(before + min(cost, most) * r.p, most * r.p)
  if after > before then
    writeBacklog(s, r, atTicks, after)
  end
end

function bucket.idleAt(s, r, x, now)
  local under = s.under
  local full = s.b == 0 and s.a or s.a + 1
  return min(full, floor(now / under.tick) + floor(under.ceiling / under.n) + 1) * under.tick
end

function bucket.longest(r)
  return (floor(r.ceiling / r.n) + 1) * r.tick
end

-- How many ticks an allowed request waits for its turn, behind what it asked for before.
function bucket.turn(s, r, ahead, now)
  return r.leaky and ceil((backlog(s, floor(now / r.tick)) + ahead * r.p) / r.n) or 0
end

-- Fixed windows: a the start of the window, b the count.
local fixed = {}

-- The start of the window around a time, and the start of the next.
local function windowAt(r, time)
  if r.length then
    local start = time - time % r.length
    return start, start + r.length
  end
  local grid = r.grid
  for i = #grid - 1, 1, -1 do
    if grid[i] <= time then
      return grid[i], grid[i + 1]
    end
  end
end

function fixed.adopt(s, r)
  s.under = r
  return false
end

function fixed.roll(s, r, now)
  local start, following = windowAt(r, now)
  if s.a == start or s.a == following then
    return false
  end
  if s.a < start then
    s.a, s.b = start, 0
    return false
  end
  s.a = following
  return true
end

function fixed.fits(s, r, x, cost)
  return s.b + x.held + cost <= r.capacity
end

function fixed.charge(s, r, x, cost)
  s.b = s.b + cost
end

function fixed.force(s, r, x, cost, at)
  if windowAt(r, at) > s.a then
    fixed.roll(s, r, at)
  end
  local most = r.capacity + r.debt
  s.b = max(s.b, min(s.b + min(cost, most), most))
end

function fixed.idleAt(s, r, x, now)
  if s.b == 0 then
    return 0
  end
  local _, following = windowAt(r, now)
  if s.a < following then
    return following
  end
  return following + fixed.longest(r) / 2
end

function fixed.longest(r)
  if r.length then
    return 2 * r.length
  end
  local most = 0
  for i = 2, #r.grid do
    most = max(most, r.grid[i] - r.grid[i - 1])
  end
  return 2 * most
end

-- Sliding windows: a the window's number, b its count, c that of the one before.
local sliding = {adopt = fixed.adopt}

function sliding.roll(s, r, now)
  local window = floor(floor(now / r.tick) / r.w)
  local ahead = window - s.a
  if ahead == 0 or ahead == -1 then
    return false
  end
  if ahead < 0 then
    s.a = window + 1
    return true
  end
  s.c = ahead == 1 and s.b or 0
  s.a, s.b = window, 0
  return false
end

function sliding.fits(s, r, x, cost, now)
  local free = r.capacity - s.b - x.held - cost
  if free < 0 then
    return false
  end
  local ticks = r.w - max(0, floor(now / r.tick) - s.a * r.w)
  if s.c <= r.capacity + r.debt then
    return s.c * ticks <= free * r.w
  end
  return s.c <= floor(free * r.w / ticks) -- the count of a far larger limit: the product might not be exact
end

sliding.charge = fixed.charge

function sliding.force(s, r, x, cost, at)
  if floor(floor(at / r.tick) / r.w) > s.a then
    sliding.roll(s, r, at)
  end
  local most = r.capacity + r.debt
  s.b = max(s.b, min(s.b + min(cost, most), most))
end

function sliding.idleAt(s, r, x, now)
  if s.b == 0 and s.c == 0 then
    return 0
  end
  local window = min(s.a, floor(floor(now / r.tick) / r.w) + 1)
  return (window + (s.b > 0 and 2 or 1)) * r.w * r.tick
end

function sliding.longest(r)
  return 3 * r.w * r.tick
end

-- The sliding log: a what counts now, b how many of the oldest entries do not any more; the entries are the account's.
local log = {adopt = fixed.adopt}

local function look(s, r, x, now)
  local lapsed = x:leading(function(time) return time <= now - r.w end)
  s.a, s.b = x.total - x:sumOf(lapsed), lapsed
end

function log.roll(s, r, now, x)
  local repaired = x:repairEntries(now)
  look(s, r, x, now)
  if repaired then
    x:dropEntries(s.b)
    s.b = 0
  end
  return repaired
end

function log.fits(s, r, x, cost)
  return s.a + x.held + cost <= r.capacity
end

function log.charge(s, r, x, cost, now)
  if cost == 0 then
    return
  end
  x:dropEntries(s.b)
  x:appendEntry(now, cost)
  s.a, s.b = s.a + cost, 0
end

function log.force(s, r, x, cost, at)
  if x.size > 0 then
    at = max(at, (x:entry(x.size)))
  end
  look(s, r, x, at)
  log.charge(s, r, x, max(0, min(cost, r.capacity + r.debt - s.a)), at)
end

function log.idleAt(s, r, x, now)
  return x.size == 0 and 0 or min((x:entry(x.size)), now) + r.w
end

function log.longest(r)
  return 2 * r.w
end

-- When a refused cost fits, as far as the entries tell; -1 where they do not.
function log.fitsAt(s, r, x, cost)
  if x.held + cost > r.capacity then
    return -1 -- no entry's going is enough
  end
  local enough = x:sumOf(s.b) + s.a + x.held + cost - r.capacity
  local last = x:leading(function(_, sum) return sum < enough end) + 1
  return last <= x.size and x:entry(last) + r.w or -1
end

-- Slots: all that there is, is held.
local slots = {adopt = fixed.adopt}

function slots.roll()
  return false
end

function slots.fits(s, r, x, cost)
  return x.held + cost <= r.capacity
end

function slots.force() end

function slots.idleAt()
  return 0
end

function slots.longest()
  return 0
end

-- Lockouts: a until when it is blocked, b the strikes of the window, c until when that is open.
local lockout = {adopt = fixed.adopt}

function lockout.roll(s, r, now)
  local tooLong = s.a > now + r.lockout or s.c > now + r.w
  s.a, s.c = min(s.a, now + r.lockout), min(s.c, now + r.w)
  return tooLong
end

function lockout.fits(s, r, x, cost, now)
  return cost > 0 or s.a <= now
end

function lockout.charge(s, r, x, cost, now)
  if s.a > now then
    return
  end
  local before = s.c > now and s.b or 0
  if before + cost >= r.capacity then
    s.a, s.b, s.c = now + r.lockout, 0, 0
  else
    s.a, s.b, s.c = 0, before + cost, before == 0 and now + r.w or s.c
  end
end

function lockout.idleAt(s, r, x, now)
  return max(min(s.a, now + r.lockout), min(s.c, now + r.w))
end

local kinds = {token_bucket = bucket, leaky_bucket = bucket, fixed_window = fixed, sliding_window = sliding,
  sliding_log = log, concurrency = slots, lockout = lockout}

-- A rule from its words: kind, tick, capacity, debt, and what the kind needs.
local function readRule(text)
  local words = {}
  for word in string.gmatch(text, '%S+') do
    words[#words + 1] = tonumber(word) or word
  end
  local r = {kind = kinds[words[1]], tick = words[2], capacity = words[3], debt = words[4]}
  if r.kind == bucket then
    r.n, r.p, r.ceiling, r.most = words[5], words[6], words[7], words[8]
    r.leaky = words[1] == 'leaky_bucket'
  elseif r.kind == fixed then
    if words[5] == 'every' then
      r.length = words[6]
    else -- the name of the calendar, then its boundaries around now
      r.grid = {}
      for i = 6, #words do
        r.grid[i - 5] = words[i]
      end
    end
  elseif r.kind == sliding or r.kind == log then
    r.w = words[5]
  elseif r.kind == slots then
    r.ttl = words[5]
  elseif r.kind == lockout then
    r.w, r.lockout = words[5], words[6]
  end
  return r
end
