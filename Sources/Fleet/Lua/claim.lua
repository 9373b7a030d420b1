-- Fails if another program has keys with this prefix (about 1,000 keys are checked), or if writing fails.
-- KEYS: the key of the format. ARGV: the prefix, and the format.
local found = redis.call('GET', KEYS[1])
if found and found ~= ARGV[2] then return redis.error_reply('FOREIGN ' .. KEYS[1]) end
if not found then
  local start = #ARGV[1] + 2
  for _, key in ipairs(redis.call('SCAN', 0, 'MATCH', ARGV[1] .. ':*', 'COUNT', 1000)[2]) do
    if string.sub(key, start, start) ~= '{' and key ~= ARGV[1] .. ':hosts' then
      return redis.error_reply('FOREIGN ' .. key)
    end
  end
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
