/**
 * How a change of access travels: who says it, and the ids it concerns. Never a
 * key.
 */
import { type AccessChange, OrganisationId } from "@solar-sites/core"
import { Option, Schema } from "effect"

const Message = Schema.fromJsonString(
  Schema.Struct({
    from: Schema.String,
    change: Schema.Union([
      Schema.Literal("everything"),
      Schema.Struct({ organisationId: OrganisationId, apiKeyId: Schema.optionalKey(Schema.String) })
    ])
  })
)

const encode = Schema.encodeSync(Message)
const decode = Schema.decodeOption(Message)

export const encodeChange = (from: string, change: AccessChange): string => encode({ from, change })

/**
 * What `self` has to tell its listeners: none for its own message. What cannot
 * be read may be the loss of an access in the words of a newer version, so it
 * means everything.
 */
export const decodeChange = (self: string, text: string): Option.Option<AccessChange> =>
  Option.match(decode(text), {
    onNone: () => Option.some<AccessChange>("everything"),
    onSome: ({ change, from }) => (from === self ? Option.none() : Option.some(change))
  })
