/**
 * JSON message for a change of access: the sending instance and the ids concerned.
 * Never contains a key.
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
 * The change for the listeners of instance `self`; none for its own messages. An
 * unreadable message may come from a newer version, so it is read as "everything".
 */
export const decodeChange = (self: string, text: string): Option.Option<AccessChange> =>
  Option.match(decode(text), {
    onNone: () => Option.some<AccessChange>("everything"),
    onSome: ({ change, from }) => (from === self ? Option.none() : Option.some(change))
  })
