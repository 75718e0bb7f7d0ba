/**
 * Records as JSON, for adapters without columns of their own for each member.
 */
import { Schema } from "effect"
import type { AnyKind } from "./RecordKind.ts"

export interface RecordJson {
  readonly encode: (record: object) => string
  readonly decode: (json: string) => object
}

/**
 * Makes the codec of a kind. Its JSON has secrets as plain text. Records were validated before they were stored.
 */
export const recordJson = ({ members }: Pick<AnyKind, "members">): RecordJson => {
  // Values stay as they are: the codecs of inputs normalise texts.
  const codec = Schema.toCodecJson(Schema.toType(members))
  const encode = Schema.encodeSync(codec, { disableChecks: true })
  const decode = Schema.decodeUnknownSync(codec, { disableChecks: true })
  const prototype: object = typeof members === "function" ? members.prototype : Object.prototype
  // A record can be an object with the members of its class.
  const instance = (record: object) => Object.assign(Object.create(prototype), record)
  return { encode: (record) => JSON.stringify(encode(instance(record))), decode: (json) => decode(JSON.parse(json)) }
}
