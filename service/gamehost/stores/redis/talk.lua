-- Adds a remark to the talk of a game, and returns its number and payload.
-- The number is the time in milliseconds, or one more than the last number, so that numbers grow also after all
-- remarks have expired.
-- KEYS: remarks (stream; entry id `<number>-0`, fields p and r).
-- ARGV: channel, remarks to keep, seconds to keep them, request ('' for none), payload.
if ARGV[4] ~= '' then
  for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '-', '+')) do
    if entry[2][4] == ARGV[4] then return {string.match(entry[1], '^%d+'), entry[2][2]} end
  end
end
local time = redis.call('TIME')
local number = time[1] * 1000 + math.floor(time[2] / 1000)
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if newest then number = math.max(number, tonumber(string.match(newest[1], '^%d+')) + 1) end
number = string.format('%.0f', number)
redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[2], number .. '-0', 'p', ARGV[5], 'r', ARGV[4])
redis.pcall('EXPIRE', KEYS[1], ARGV[3])
-- pcall: as in append.lua, a follower that misses the notification polls.
redis.pcall('SPUBLISH', ARGV[1], number)
return {number, ARGV[5]}
