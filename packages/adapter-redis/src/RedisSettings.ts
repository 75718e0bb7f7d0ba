/** Environment variables of Redis (specification, section 9). */
import { textThat } from "@solar-sites/core/options"
import { Config, Schema } from "effect"
import { isRedisUrl, redisUrlForm } from "./RedisOptionCheck.ts"

/** `REDIS_URL`, which is required. */
export const settings = {
  url: Config.schema(Schema.RedactedFromValue(textThat(isRedisUrl, `must be ${redisUrlForm}`)), "REDIS_URL")
}
