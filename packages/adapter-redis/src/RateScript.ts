/**
 * The arithmetic of core's `decideRate` as one atomic step in Redis, by Redis'
 * clock, so that instances agree whatever theirs say.
 */

/**
 * KEYS: one bucket, or two. ARGV: limit and window in milliseconds of each. Answers, for the bucket that `RateLimiter`
 * tells of: its index from 0, allowed (1 or 0), remaining, retryAfter and resetAfter in whole milliseconds.
 *
 * A bucket is when it was last taken from (microseconds) and what was missing
 * then (milliseconds): small numbers, which add up exactly. A refusal writes
 * nothing, and a bucket that is full again is gone by itself.
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
