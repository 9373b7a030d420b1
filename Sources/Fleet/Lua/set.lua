-- Sets the usage of a quota. ARGV: its name, begin and usage.
return redis.call('HSET', KEYS[1], 'q:' .. ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
