-- Returns what is recorded of a request, and writes it again unchanged so that the WAIT after this script counts it.
-- Reading and writing in one script makes sure that both happen on the same server, also during a failover.
-- KEYS: requests. ARGV: request id.
local recorded = redis.call('HGET', KEYS[1], ARGV[1])
if recorded then redis.call('HSET', KEYS[1], ARGV[1], recorded) end
return recorded
