/**
 * The settings of Redis from the environment (specification, section 9).
 */
import { Config, Schema } from "effect"
import type { RedisLayerOptions } from "./RedisOptions.ts"

const Address = Schema.String.check(
  Schema.makeFilter((text: string) => /^rediss?:\/\//.test(text) && URL.canParse(text), {
    message: "must be of the form redis://user:password@host:port, or rediss:// for TLS"
  })
)

export const fromEnvironment: Config.Config<RedisLayerOptions> = Config.all({
  url: Config.schema(Schema.Redacted(Address), "REDIS_URL")
})
