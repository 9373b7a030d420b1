-- Begins, extends or ends a pause or an open breaker, and notifies the other hosts.
--
-- ARGV: the channel, the message, the field, the duration in microseconds, and the text after the end time in the
-- field. A duration of 0 ends the pause or the open breaker. Another duration extends them, but never shortens them.
local clock = redis.call('TIME')
local till = clock[1] * 1000000 + clock[2] + tonumber(ARGV[4])
local known = string.match(redis.call('HGET', KEYS[1], ARGV[3]) or '', '^%d+')
if tonumber(ARGV[4]) == 0 then
  redis.call('HDEL', KEYS[1], ARGV[3])
elseif not known or tonumber(known) < till then
  redis.call('HSET', KEYS[1], ARGV[3], string.format('%.0f', till) .. ARGV[5])
end
return redis.call('PUBLISH', ARGV[1], ARGV[2])
