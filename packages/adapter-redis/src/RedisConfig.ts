/**
 * The settings of Redis from the environment (specification, section 9).
 */
import { Config, Schema } from "effect"
import { addressForm, isAddress } from "./RedisOptionCheck.ts"
import type { RedisLayerOptions } from "./RedisOptions.ts"

const Address = Schema.String.check(Schema.makeFilter(isAddress, { message: `must be ${addressForm}` }))

export const fromEnvironment: Config.Config<RedisLayerOptions> = Config.all({
  url: Config.schema(Schema.Redacted(Address), "REDIS_URL")
})
