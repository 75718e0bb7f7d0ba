/**
 * `decideRate` of core as one atomic script in Redis. It uses the clock of Redis,
 * since clocks of instances differ.
 */

/**
 * KEYS: one or two buckets. ARGV: limit and window (milliseconds) of each. Returns,
 * for the bucket that decides: index from 0, allowed (1 or 0), remaining, retryAfter
 * and resetAfter (whole milliseconds).
 *
 * A bucket stores the time of its last use (microseconds) and what was missing then
 * (milliseconds): small numbers that add up exactly. A refusal writes nothing. A full
 * bucket expires.
 */
export const rateScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local refused, tightest
local afters = {}
for index, key in ipairs(KEYS) do
  local limit, window = tonumber(ARGV[2 * index - 1]), tonumber(ARGV[2 * index])
  local interval = window / limit
  local tolerance = math.min(interval, 1) / 2
  local missing = 0
  local bucket = redis.call('GET', key)
  if bucket then
    local at, then_missing = string.match(bucket, '^(%d+) (%S+)$')
    missing = math.max(0, tonumber(then_missing) - math.max(0, now - tonumber(at)) / 1000)
  end
  if missing > window - interval + tolerance then
    local wait = math.ceil(missing + interval - window)
    if not refused or wait > refused[4] then refused = {index - 1, 0, 0, wait, math.ceil(missing)} end
  else
    local after = missing + interval
    local remaining = math.max(0, math.floor((window - after + tolerance) / interval))
    if not tightest or remaining < tightest[3] then tightest = {index - 1, 1, remaining, 0, math.ceil(after)} end
    afters[index] = after
  end
end
if refused then return refused end
for index, key in ipairs(KEYS) do
  redis.call('SET', key, string.format('%.0f %.17g', now, afters[index]), 'PX', math.ceil(afters[index]))
end
return tightest
`
