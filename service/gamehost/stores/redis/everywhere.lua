-- An event, and a write beside it, so that WAIT counts it and all that was written before.
-- KEYS: events, summary. ARGV: id of the event.
local entries = redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[1])
local summary = redis.call('GET', KEYS[2])
if #entries > 0 and summary then redis.call('SET', KEYS[2], summary) end
return entries
