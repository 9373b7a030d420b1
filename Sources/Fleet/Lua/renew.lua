-- Extends a claim. KEYS: the list of the hosts of a page. ARGV: the new duration in milliseconds.
return redis.call('PEXPIRE', KEYS[1], ARGV[1])
