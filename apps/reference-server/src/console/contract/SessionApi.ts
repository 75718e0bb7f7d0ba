/** The session of the request. */
import { ApiScope, Organisation } from "@solar-sites/core"
import { Schema } from "effect"
import { User } from "../../accounts/people/User.ts"

const { email, id, name, role } = User.fields
const organisation = Organisation.fields

/** `mustSetUpSecondFactor`: the organisation demands a second factor that the user has not set up. */
export const ShownSession = Schema.Struct({
  user: Schema.Struct({ id, email, name, role }),
  organisation: Schema.Struct({ id: organisation.id, name: organisation.name, status: organisation.status }),
  expiresAt: Schema.DateTimeUtcFromString,
  scopes: Schema.Array(ApiScope),
  mustSetUpSecondFactor: Schema.Boolean
})
