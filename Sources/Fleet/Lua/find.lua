-- Returns a page with the time until it expires. If the page is missing, claims the call that loads it. If another host
-- has the claim, adds this host to the hosts that wait.
--
-- KEYS: the page, and the list of its hosts. The first host in the list has the claim, and the others wait. ARGV: this
-- host, and the duration of a claim in milliseconds, or 0 to claim nothing.
local page = redis.call('GET', KEYS[1])
if page then return {page, redis.call('PTTL', KEYS[1])} end
if ARGV[2] == '0' then return 0 end
local caller = redis.call('LINDEX', KEYS[2], 0)
if caller and caller ~= ARGV[1] then
  redis.call('RPUSH', KEYS[2], ARGV[1])
  return math.max(1, redis.call('PTTL', KEYS[2]))
end
if not caller then redis.call('RPUSH', KEYS[2], ARGV[1]) end
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 0
