-- Numbers names on a board, each with a number greater than all before.
-- KEYS: marks, newest number.
-- ARGV: channel, how many marks are kept, for how many seconds, how many names keep the number they have, names...
for i = 5, #ARGV do
  local once = i - 4 <= tonumber(ARGV[4])
  if not (once and redis.call('ZSCORE', KEYS[1], ARGV[i])) then
    redis.call('ZADD', KEYS[1], redis.call('INCR', KEYS[2]), ARGV[i])
  end
end
-- Tidying must not undo a mark, whatever the user may do.
redis.pcall('ZREMRANGEBYRANK', KEYS[1], 0, -1 - tonumber(ARGV[2]))
for _, key in ipairs(KEYS) do redis.pcall('EXPIRE', key, ARGV[3]) end
-- As for appends, whoever is not woken polls.
redis.pcall('SPUBLISH', ARGV[1], redis.call('GET', KEYS[2]) or 0)
return true
