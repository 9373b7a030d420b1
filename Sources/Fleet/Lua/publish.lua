-- Stores a page, unless its lifetime is 0 ms. If this host still has the claim, ends the claim and sends the outcome to
-- the waiting hosts.
--
-- ARGV: this host, the milliseconds until the page expires, the page, the prefix of the channels of hosts, the message.
if tonumber(ARGV[2]) > 0 then redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[2]) end
local hosts = redis.call('LRANGE', KEYS[2], 0, -1)
if hosts[1] ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[2])
for i = 2, #hosts do redis.call('PUBLISH', ARGV[4] .. hosts[i], ARGV[5] .. ARGV[3]) end
return #hosts - 1
