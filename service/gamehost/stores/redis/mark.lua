-- Gives each name on a board a number that is greater than all numbers given before. Returns the subscribers.
-- KEYS: marks (names by number), newest number, subscribers (hash of names).
-- ARGV: channel, marks to keep, seconds to keep the board, count of leading names that keep a number they already
-- have, names...
for i = 5, #ARGV do
  local keep_number = i - 4 <= tonumber(ARGV[4])
  if not (keep_number and redis.call('ZSCORE', KEYS[1], ARGV[i])) then
    redis.call('ZADD', KEYS[1], redis.call('INCR', KEYS[2]), ARGV[i])
  end
end
-- pcall: if trimming or expiry fails (missing permission), the marks must still be written.
redis.pcall('ZREMRANGEBYRANK', KEYS[1], 0, -1 - tonumber(ARGV[2]))
for i = 1, 2 do redis.pcall('EXPIRE', KEYS[i], ARGV[3]) end
-- pcall: as in append.lua, a follower that misses the notification polls.
redis.pcall('SPUBLISH', ARGV[1], redis.call('GET', KEYS[2]) or 0)
return redis.call('HGETALL', KEYS[3])
