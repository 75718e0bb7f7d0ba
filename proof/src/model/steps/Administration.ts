/**
 * Generated steps of an operator, of time, and of clients of the storage.
 */
import { apiScopes } from "@solar-sites/core"
import * as fc from "fast-check"
import type { Made } from "../../check.ts"
import { roles } from "../PeopleState.ts"

/** The domain of the addresses of all users, and another one. */
export const domains = ["example.com", "example.net"]

/** Password of every new user. */
export const password = "correct horse battery"

/** Passwords that steps choose as new ones. */
export const passwords = [password, "violet tuna parade"]

/** Long enough, but easy to guess. */
export const commonPassword = "password1234"

const organisation = fc.nat(2)
const hour = 3_600_000
const day = 24 * hour

const scopes = fc.oneof(fc.constant(apiScopes), fc.subarray([...apiScopes], { minLength: 1 }))
const key = fc.integer({ min: 1, max: 5 })

/** Steps of this kind with these members. */
const steps = <Does extends string, Members extends object>(
  does: Does,
  members: { readonly [Name in keyof Members]: fc.Arbitrary<Members[Name]> }
): fc.Arbitrary<{ readonly does: Does } & Readonly<Members>> => fc.record(members).map((one) => ({ does, ...one }))

const createKey = steps("createKey", {
  organisation,
  scopes,
  /** Indexes of the portfolios that it is limited to; no limit while there are none. */
  portfolios: fc.option(fc.array(fc.nat(3), { minLength: 1, maxLength: 2 }), { freq: 2 }),
  life: fc.constantFrom(100_000, 30 * day)
})

const others = [
  steps("rotateKey", { organisation, key, overlap: fc.constantFrom(0, hour) }),
  steps("deleteKey", { organisation, key }),
  steps("setStatus", { organisation, status: fc.constantFrom("active", "active", "inactive") }),
  steps("replaceLast", {}),
  steps("advance", { by: fc.constantFrom(1_000, 61_000, 1_200_000, 2 * hour, 25 * hour) }),
  steps("get", { organisation, n: fc.nat(20) }),
  steps("restart", {}),
  steps("createUser", { organisation, role: fc.constantFrom(...roles) }),
  steps("setRedis", { isThere: fc.boolean() })
] as const

export const put = steps("put", {
  organisation,
  n: fc.nat(20),
  how: fc.oneof(
    { weight: 8, arbitrary: fc.constant("right" as const) },
    { weight: 1, arbitrary: fc.constantFrom("long", "forged") }
  )
})

/** Logins mostly need the domains. */
export const setLoginDomains = steps("setLoginDomains", {
  organisation,
  domains: fc.oneof(
    { weight: 3, arbitrary: fc.constant<ReadonlyArray<string>>(domains) },
    { weight: 1, arbitrary: fc.subarray(domains) }
  )
})

export type Administration = Made<typeof createKey | (typeof others)[number] | typeof put | typeof setLoginDomains>

export const administration: fc.Arbitrary<Administration> = fc.oneof(createKey, ...others)
