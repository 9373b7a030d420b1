-- Returns a page with its time left; or claims its call; or joins the hosts that wait for it.
--
-- KEYS: the page, and the hosts: the caller, then those that wait. ARGV: the host, the milliseconds of a claim; 0 for none.
local page = redis.call('GET', KEYS[1])
if page then return {page, redis.call('PTTL', KEYS[1])} end
if ARGV[2] == '0' then return 0 end
local caller = redis.call('LINDEX', KEYS[2], 0)
if caller and caller ~= ARGV[1] then
  redis.call('RPUSH', KEYS[2], ARGV[1])
  return redis.call('PTTL', KEYS[2])
end
if not caller then redis.call('RPUSH', KEYS[2], ARGV[1]) end
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 0
