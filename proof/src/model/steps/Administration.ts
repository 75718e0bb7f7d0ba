/**
 * Generated steps of an operator, of time, and of clients of the storage.
 */
import type { ApiScope } from "@solar-sites/core"
import * as fc from "fast-check"
import { allScopes } from "../operations.ts"
import type { Role } from "../PeopleState.ts"

export type Administration =
  | {
      readonly does: "createKey"
      readonly organisation: number
      readonly scopes: ReadonlyArray<ApiScope>
      /** Indexes of the portfolios that it is limited to; no limit while there are none. */
      readonly portfolios?: ReadonlyArray<number> | null
      readonly life: number
    }
  | { readonly does: "rotateKey"; readonly organisation: number; readonly key: number; readonly overlap: number }
  | { readonly does: "deleteKey"; readonly organisation: number; readonly key: number }
  | { readonly does: "setStatus"; readonly organisation: number; readonly status: "active" | "inactive" }
  | { readonly does: "replaceLast" }
  | { readonly does: "advance"; readonly by: number }
  | { readonly does: "get"; readonly organisation: number; readonly n: number }
  | { readonly does: "restart" }
  | { readonly does: "createUser"; readonly organisation: number; readonly role: Role }
  | { readonly does: "setLoginDomains"; readonly organisation: number; readonly domains: ReadonlyArray<string> }
  | { readonly does: "setRedis"; readonly isThere: boolean }
  | {
      readonly does: "put"
      readonly organisation: number
      readonly n: number
      readonly how: "right" | "long" | "forged"
    }

/** The domain of the addresses of all users, and another one. */
export const domains = ["example.com", "example.net"]

/** Password of every new user. */
export const password = "correct horse battery"

/** Passwords that steps choose as new ones. */
export const passwords = [password, "violet tuna parade"]

/** Long enough, but easy to guess. */
export const commonPassword = "password1234"

const roles: ReadonlyArray<Role> = ["owner", "admin", "member", "viewer"]

const organisation = fc.nat(2)
const hour = 3_600_000
const day = 24 * hour

const scopes = fc.oneof(fc.constant(allScopes), fc.subarray([...allScopes], { minLength: 1 }))

export const administration: fc.Arbitrary<Administration> = fc.oneof(
  fc.record({
    does: fc.constant("createKey" as const),
    organisation,
    scopes,
    portfolios: fc.option(fc.array(fc.nat(3), { minLength: 1, maxLength: 2 }), { freq: 2 }),
    life: fc.constantFrom(100_000, 30 * day)
  }),
  fc.record({
    does: fc.constant("rotateKey" as const),
    organisation,
    key: fc.integer({ min: 1, max: 5 }),
    overlap: fc.constantFrom(0, hour)
  }),
  fc.record({ does: fc.constant("deleteKey" as const), organisation, key: fc.integer({ min: 1, max: 5 }) }),
  fc.record({
    does: fc.constant("setStatus" as const),
    organisation,
    status: fc.constantFrom("active" as const, "active" as const, "inactive" as const)
  }),
  fc.record({ does: fc.constant("replaceLast" as const) }),
  fc.record({
    does: fc.constant("advance" as const),
    by: fc.constantFrom(1_000, 61_000, 1_200_000, 2 * hour, 25 * hour)
  }),
  fc.record({ does: fc.constant("get" as const), organisation, n: fc.nat(20) }),
  fc.record({ does: fc.constant("restart" as const) }),
  fc.record({ does: fc.constant("createUser" as const), organisation, role: fc.constantFrom(...roles) }),
  fc.record({ does: fc.constant("setRedis" as const), isThere: fc.boolean() })
)

export const put: fc.Arbitrary<Administration> = fc.record({
  does: fc.constant("put" as const),
  organisation,
  n: fc.nat(20),
  how: fc.oneof(
    { weight: 8, arbitrary: fc.constant("right" as const) },
    { weight: 1, arbitrary: fc.constantFrom("long" as const, "forged" as const) }
  )
})
