/** Shared by groups of the console's contract. */
import { Context, Schema } from "effect"
import type { Role } from "../../accounts/people/Role.ts"

/** The least role of a user who may use an endpoint. */
export const LeastRole = Context.Reference<Role>("@solar-sites/reference-server/LeastRole", {
  defaultValue: () => "viewer"
})

/** Largest body of an endpoint with a session, in bytes. */
export const bodyBytes = 16_384

/** A complete list. */
export const all = <Item extends Schema.Top>(item: Item) => Schema.Struct({ data: Schema.Array(item) })
