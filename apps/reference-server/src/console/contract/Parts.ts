/** Shared by groups of the console's contract. */
import { Context, Schema } from "effect"
import type { Role } from "../../accounts/people/Role.ts"

/** The least role of a user who may use an endpoint. */
export const LeastRole = Context.Reference<Role>("@solar-sites/reference-server/LeastRole", {
  defaultValue: () => "viewer"
})

/** True of an endpoint that takes the id of a user, and that each user may use for the own account. */
export const OwnAccount = Context.Reference<boolean>("@solar-sites/reference-server/OwnAccount", {
  defaultValue: () => false
})

/** True of an endpoint that is refused while the server accepts no passwords. */
export const NeedsPasswords = Context.Reference<boolean>("@solar-sites/reference-server/NeedsPasswords", {
  defaultValue: () => false
})

/** True of an endpoint about the whole organisation: users who are limited to portfolios are refused. */
export const WholeOrganisation = Context.Reference<boolean>("@solar-sites/reference-server/WholeOrganisation", {
  defaultValue: () => false
})

/** Largest body of an endpoint with a session, in bytes. */
export const bodyBytes = 16_384

/** The same without a session: room for an escaped name, e-mail address and password. */
export const openBodyBytes = 8_192

/** A complete list. */
export const all = <Item extends Schema.Top>(item: Item) => Schema.Struct({ data: Schema.Array(item) })
