-- Numbers names on a board, each with a number greater than all before.
-- KEYS: marks, newest number.
-- ARGV: channel, how many names keep the number they have, names...
for i = 3, #ARGV do
  local once = i - 2 <= tonumber(ARGV[2])
  if not (once and redis.call('ZSCORE', KEYS[1], ARGV[i])) then
    redis.call('ZADD', KEYS[1], redis.call('INCR', KEYS[2]), ARGV[i])
  end
end
-- As for appends, whoever is not woken polls.
redis.pcall('SPUBLISH', ARGV[1], redis.call('GET', KEYS[2]) or 0)
return true
