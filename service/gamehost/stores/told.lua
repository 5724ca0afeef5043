-- The events from a version on, and a write beside them, so that WAIT counts all that was read.
-- KEYS: events, summary. ARGV: id of the first event.
local entries = redis.call('XRANGE', KEYS[1], ARGV[1], '+')
local summary = redis.call('GET', KEYS[2])
if #entries > 0 and summary then redis.call('SET', KEYS[2], summary) end
return entries
