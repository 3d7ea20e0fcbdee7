-- The stored form of an account's state: up to three numbers and the rule that they were written under. Each algorithm
-- names its numbers in its own file, such as token_bucket.lua. Every script that reads or writes states uses this file.
--
-- Short form, for token buckets only (short_form.lua): an integer of 19 digits. Redis keeps it in 8 bytes and
-- increments it in place.
--   4 digits    rule id + rest. The id represents the numbers of the rule; the nodes keep the list (RuleIds.java).
--               Ids from 1000 to 4999 are for buckets whose rest is always 0. Ids from 5000 on are 64 apart: the rest
--               is from 0 to 63.
--   15 digits   fullAt, in ticks since SHORT_EPOCH
-- Full form (full_form.lua):
--   1 byte      1 if nothing is held and there are no entries; 2 otherwise
--   cmsgpack    tick, capacity, debt, n, p, ceiling of the rule; the last three are 0 unless it is a bucket
--   7 bytes     the first number, if the other two are 0 and the first byte is 1; otherwise 21 bytes with all three
--   cmsgpack    only after the byte 2: amount held, number of holds, time of the latest hold, number of entries, total
--               of the entries, lead of the clock of the holds (see holds.lua)
-- Numbers of a fixed width are big-endian.

local FORMAT_PLAIN, FORMAT_EXTENDED = '\1', '\2'
local SHORT_EPOCH = 1600000000000000 -- microseconds since 1970: in September 2020
local SHORT_TICKS = 1000000000000000 -- the number of ticks since the epoch that fit in 15 digits
