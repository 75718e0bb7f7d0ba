/**
 * The arithmetic of core's `decideRate` as one atomic step in Redis, by Redis'
 * clock, so that instances agree whatever theirs say.
 */

/**
 * KEYS: the bucket. ARGV: limit, window in milliseconds. Answers allowed (1 or
 * 0), remaining, retryAfter and resetAfter in whole milliseconds.
 *
 * A bucket is when it was last taken from (microseconds) and what was missing
 * then (milliseconds): small numbers, which add up exactly. A refusal writes
 * nothing, and a bucket that is full again is gone by itself.
 */
export const rateScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local interval = window / limit
local tolerance = math.min(interval, 1) / 2
local missing = 0
local bucket = redis.call('GET', KEYS[1])
if bucket then
  local at, then_missing = string.match(bucket, '^(%d+) (%S+)$')
  missing = math.max(0, tonumber(then_missing) - math.max(0, now - tonumber(at)) / 1000)
end
if missing > window - interval + tolerance then
  return {0, 0, math.ceil(missing + interval - window), math.ceil(missing)}
end
local after = missing + interval
redis.call('SET', KEYS[1], string.format('%.0f %.17g', now, after), 'PX', math.ceil(after))
return {1, math.max(0, math.floor((window - after + tolerance) / interval)), 0, math.ceil(after)}
`
