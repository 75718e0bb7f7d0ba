/** Shared by groups of the console's contract. */
import { Context, Schema } from "effect"
import type { Role } from "../../accounts/people/Role.ts"

/** A property of endpoints, with its value for those without the annotation. */
const annotation = <A>(name: string, value: A) =>
  Context.Reference<A>(`@solar-sites/reference-server/${name}`, { defaultValue: () => value })

/** The least role of a user who may use an endpoint. */
export const LeastRole = annotation<Role>("LeastRole", "viewer")

/** True of an endpoint that takes the id of a user, and that each user may use for the own account. */
export const OwnAccount = annotation("OwnAccount", false)

/** True of an endpoint that is refused while the server accepts no passwords. */
export const NeedsPasswords = annotation("NeedsPasswords", false)

/** True of an endpoint about the whole organisation: users who are limited to portfolios are refused. */
export const WholeOrganisation = annotation("WholeOrganisation", false)

/** Largest body of an endpoint with a session, in bytes. */
export const bodyBytes = 16_384

/** The same without a session: room for an escaped name, e-mail address and password. */
export const openBodyBytes = 8_192

/** A complete list. */
export const all = <Item extends Schema.Top>(item: Item) => Schema.Struct({ data: Schema.Array(item) })
