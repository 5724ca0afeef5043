-- What is known of a request, written again so that WAIT counts it; read and written by the same server.
-- KEYS: requests. ARGV: request id.
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known then redis.call('HSET', KEYS[1], ARGV[1], known) end
return known
