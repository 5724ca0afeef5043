-- Returns an event, and writes the summary of its game again unchanged. The write is there only for the WAIT after
-- this script: replication is ordered, so replicas that have this write have all earlier ones, and so the event.
-- KEYS: events, summary. ARGV: id of the event.
local entries = redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[1])
local summary = redis.call('GET', KEYS[2])
if #entries > 0 and summary then redis.call('SET', KEYS[2], summary) end
return entries
