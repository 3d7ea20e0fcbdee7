-- The store's time in microseconds, read once per script, and how long a key outlives its last use, in milliseconds.
local time = redis.call('TIME')
local now, SPARE_MS = time[1] * 1000000 + time[2], 1000
