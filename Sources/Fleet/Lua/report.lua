-- Raises the usage of each quota to the usage that the host knows. Then adds what the host used without the server. If
-- an earlier report has added a part of this, adds only the rest.
--
-- ARGV: the arguments of epoch.lua, the host, and the number of quotas. For each quota: its name, begin, known usage,
-- and usage without the server. For each rate: its calls in the last minute, and its limit per minute. KEYS: the
-- account, the set of hosts that have reported, and a list per rate.
local count = tonumber(ARGV[4])
local answer = {math.max(ready - now, 0)}
for i = 0, count - 1 do
  local name, begin, used, alone = ARGV[5 + i * 4], tonumber(ARGV[6 + i * 4]), ARGV[7 + i * 4], ARGV[8 + i * 4]
  local start, known = window(redis.call('HGET', KEYS[1], 'q:' .. name))
  if start < begin then start, known = begin, 0 end
  if start == begin then
    known = math.max(known, tonumber(used))
    local field = 'o:' .. name .. ':' .. ARGV[3]
    local earlier, added = window(redis.call('HGET', KEYS[1], field))
    if earlier ~= begin then added = 0 end
    if tonumber(alone) > added then
      known = known + tonumber(alone) - added
      redis.call('HSET', KEYS[1], field, begin .. ' ' .. alone)
    end
    redis.call('HSET', KEYS[1], 'q:' .. name, start .. ' ' .. whole(known))
  end
  answer[#answer + 1] = known
end
local first = 5 + count * 4
if now < ready and redis.call('SADD', KEYS[2], ARGV[3]) == 1 then
  redis.call('EXPIRE', KEYS[2], 3600)
  for i = 0, #KEYS - 3 do
    local recent, minute = tonumber(ARGV[first + i * 2]), tonumber(ARGV[first + i * 2 + 1])
    for _ = 1, math.min(recent, minute) do redis.call('LPUSH', KEYS[i + 3], whole(now)) end
    if recent > 0 then
      redis.call('LTRIM', KEYS[i + 3], 0, minute - 1)
      redis.call('EXPIRE', KEYS[i + 3], 3600)
    end
  end
end
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local kind = string.sub(all[i], 1, 2)
  local left = (kind == 'p:' or kind == 'b:') and tonumber(string.match(all[i + 1], '^%d+')) - now or 0
  if left > 0 then answer[#answer + 1] = {all[i], left, all[i + 1]} end
end
return answer
