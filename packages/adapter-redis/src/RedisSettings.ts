/**
 * Environment variables of Redis (specification, section 9).
 *
 * @since 0.1.0
 */
import { textThat } from "@solar-sites/core/options"
import { Config, Schema } from "effect"
import { isRedisUrl, redisUrlForm } from "./RedisOptionCheck.ts"

/**
 * `REDIS_URL`, which is required.
 *
 * @category configuration
 * @since 0.1.0
 */
export const settings = {
  url: Config.schema(Schema.RedactedFromValue(textThat(isRedisUrl, `must be ${redisUrlForm}`)), "REDIS_URL")
}
