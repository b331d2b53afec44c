/**
 * The bucket of a key, in the memory of a Valkey or Redis server: the time at which it was written, and after how long it
 * was to be full again, both in milliseconds. The server's own clock is the only one, and a step back of it counts as no
 * time at all: the time of the last write is stored for that. A bucket that is full expires.
 *
 * KEYS: the bucket. ARGV: the milliseconds for one token and for all, after how long the caller believes the bucket to be
 * full, which counts where the server has lost it, and the milliseconds of grace. Returns whether a token was taken, and
 * after how long the bucket is full now.
 */
export const TAKE_TOKEN = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + clock[2] / 1000
local interval, capacity, full_in = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local stored = redis.call('GET', KEYS[1])
local is_set_back = false
if stored then
  local written_at, was_full_in = string.match(stored, '^(%S+) (%S+)$')
  is_set_back = now < tonumber(written_at)
  full_in = tonumber(was_full_in) - math.max(now - tonumber(written_at), 0)
end
full_in = math.min(math.max(full_in, 0), capacity)
local is_taken = full_in + interval <= capacity + tonumber(ARGV[4])
if is_taken then full_in = full_in + interval end
if is_taken or is_set_back then
  local value = string.format('%.17g %.17g', now, full_in)
  redis.call('SET', KEYS[1], value, 'PX', math.ceil(full_in) + 1)
end
return { is_taken and 1 or 0, string.format('%.17g', full_in) }
`
