/** Ids in paths of the console's endpoints. */
import type { HostRefused } from "@solar-sites/http-node"
import { Effect, Option } from "effect"
import { parseAccountId } from "../accounts/people/User.ts"

/** Reads the id of a path; refuses a malformed one. */
export const accountIdOr =
  (missing: HostRefused) =>
  ({ id }: { readonly id: string }) =>
    Option.match(parseAccountId(id), { onNone: () => Effect.fail(missing), onSome: Effect.succeed })
