/**
 * Generated calls of the console: users, sessions, invitations, keys, and the organisation.
 */
import { apiScopes } from "@solar-sites/core"
import * as fc from "fast-check"
import type { CallTemplate } from "../CallTemplate.ts"
import type { OperationName } from "../operations.ts"
import { commonPassword, passwords } from "./Administration.ts"
import { anId, marked, mostly, type NamedStep, some, step, visitor, withSession } from "./Parts.ts"

const role = mostly(fc.constantFrom("owner", "admin", "member", "viewer"), "boss", null)
const name = mostly(marked("Ada", "Bob "), "", 7)

const email = fc.record({
  "@email": fc.nat(4),
  of: fc.constantFrom("own" as const, "foreign" as const, "new" as const, "new" as const)
})
const linkFor = (kind: "invitation" | "reset" | "email") => fc.record({ "@link": fc.nat(11), for: fc.constant(kind) })
const invited = linkFor("invitation")

const rightPassword = { "@password": "right" }
const current = mostly(fc.constant(rightPassword), "wrong password of a user", 7)
const newPassword = mostly(fc.constantFrom(...passwords), "short", commonPassword, 7)
const right = fc.constantFrom({ "@code": 0 }, { "@code": 0 }, { "@code": 1 })
const code = fc.oneof(
  { weight: 5, arbitrary: right },
  { weight: 3, arbitrary: fc.record({ "@recovery": fc.nat(19) }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>({ "@code": -2 }, { "@code": 3 }, "000000", "none", "", 7) }
)
const ownEmail = fc.record({ "@email": fc.nat(4), of: fc.constant("own" as const) })
const login = some({ email: ownEmail, password: current }, { code: fc.oneof(code, fc.constant(null)) })
const scopes = fc.oneof(fc.subarray([...apiScopes], { minLength: 1 }), fc.constantFrom(["sites:fly"], []))

export const peopleSteps: ReadonlyArray<NamedStep> = [
  step("logIn", { body: login }),
  step("logOut"),
  step("getSession"),
  step("listUsers"),
  step("updateUser", { ids: [anId("users")], body: some({}, { role, name, colour: fc.constant("red") }) }),
  step("deleteUser", { ids: [anId("users", 6)] }),
  step("endSessionsOfUser", { ids: [anId("users")] }),
  step("listSessions"),
  step("endSession", { ids: [anId("sessions", 6)] }),
  step("endOtherSessions"),
  step("getSessionEnd"),
  step("getAccount"),
  step("updateAccount", { body: some({}, { name, role }) }),
  step("changePassword", { body: fc.record({ currentPassword: current, password: newPassword }) }),
  step("changeEmail", { body: fc.record({ email: mostly(email, "nobody", 7), password: current }) }),
  step("confirmEmail", { body: fc.record({ token: linkFor("email") }) }),
  step("requestPasswordReset", { body: fc.record({ email: mostly(email, "nobody", 7) }) }),
  step("completePasswordReset", { body: fc.record({ token: linkFor("reset"), password: newPassword }) }),
  step("getSecondFactor"),
  step("beginSecondFactor", { body: some({ password: current }) }),
  step("enableSecondFactor", { body: fc.record({ code }) }),
  step("disableSecondFactor", { body: fc.record({ password: current, code }) }),
  step("renewRecoveryCodes", { body: fc.record({ code }) }),
  step("resetSecondFactor", { ids: [anId("users", 6)] }),
  step("listInvitations"),
  step("createInvitation", { body: some({ email: mostly(email, "nobody", 7), role }, { name }) }),
  step("renewInvitation", { ids: [anId("invitations")] }),
  step("withdrawInvitation", { ids: [anId("invitations", 6)] }),
  step("lookAtInvitation", { body: fc.record({ token: invited }) }),
  step("acceptInvitation", {
    body: fc.record({ token: invited, name: mostly(fc.constant("Eve"), ""), password: newPassword })
  }),
  step("listApiKeys"),
  step("createApiKey", { body: some({ name }, { expiresInDays: mostly(fc.constantFrom(1, 90), 0, 1.5), scopes }) }),
  step("rotateApiKey", {
    ids: [anId("apiKeys")],
    body: some({}, { overlap: mostly(fc.constantFrom("0s", "1h", null), "soon") })
  }),
  step("deleteApiKey", { ids: [anId("apiKeys", 4)] }),
  step("renameOrganisation", { body: some({ name: mostly(marked("Organisation", "Solar"), "") }) }),
  step("getOrganisation"),
  step("requireSecondFactor", {
    body: some({ requireSecondFactor: mostly(fc.constantFrom(false, false, true), "yes", null) })
  }),
  step("getOrganisationUse"),
  step("getOrganisationOverview")
]

/** A login with the password of the n-th user of an organisation. */
export const logInOf = (organisation: number, n: number, code?: unknown): CallTemplate => ({
  ...{ call: "logIn", who: { organisation, key: 0, odd: "none" }, ids: [] },
  body: { email: { "@email": n, of: "own" }, password: rightPassword, ...(code === undefined ? {} : { code }) }
})

type Flow = ReadonlyArray<CallTemplate | { readonly concurrent: ReadonlyArray<CallTemplate> }>

/**
 * Calls of one user that need each other, which random calls seldom do. The user logs in, and goes on
 * with the new session.
 */
const flowsOf = (organisation: number, n: number, given: unknown): ReadonlyArray<Flow> => {
  const user = { organisation, key: 0, session: -1 }
  const visitor = { organisation, key: 0, odd: "none" as const }
  const one = (call: OperationName, who: CallTemplate["who"], body: unknown): CallTemplate => ({
    ...{ call, who, ids: [], body }
  })
  const link = (kind: string) => ({ "@link": 0, for: kind })
  const [own, free] = [
    { "@email": n, of: "own" },
    { "@email": n, of: "new" }
  ]
  const logIn = (code: unknown) => logInOf(organisation, n, code)
  const begun = [logIn({ "@code": 0 }), one("beginSecondFactor", user, { password: rightPassword })]
  const enable = one("enableSecondFactor", user, { code: { "@code": 0 } })
  const withFactor = [...begun, enable]
  return [
    [...begun, { concurrent: [enable, enable] }],
    [...withFactor, logIn(given)],
    [...withFactor, one("renewRecoveryCodes", user, { code: given })],
    [...withFactor, one("disableSecondFactor", user, { password: rightPassword, code: given })],
    [
      logIn({ "@code": 0 }),
      one("changeEmail", user, { email: free, password: rightPassword }),
      one("confirmEmail", visitor, { token: link("email") })
    ],
    [
      one("requestPasswordReset", visitor, { email: own }),
      one("completePasswordReset", visitor, { token: link("reset"), password: passwords[1] })
    ],
    [
      logIn({ "@code": 0 }),
      one("createInvitation", user, { email: free, role: "admin" }),
      one("acceptInvitation", visitor, { token: link("invitation"), name: "Eve", password: passwords[0] })
    ]
  ]
}

/** The first calls of a flow, or all. */
export const flow: fc.Arbitrary<Flow> = fc
  .tuple(fc.nat(2), fc.nat(4), code, fc.nat(6), fc.integer({ min: 2, max: 4 }))
  .map(([organisation, n, given, which, length]) => flowsOf(organisation, n, given)[which]?.slice(0, length) ?? [])

const once = (call: OperationName, who: fc.Arbitrary<CallTemplate["who"]>, body: fc.Arbitrary<unknown>) =>
  fc.record({ call: fc.constant(call), who, ids: fc.constant([]), body })

/** Equal calls, of which one succeeds: a password, a link or a code is used once. */
const newPasswords = {
  own: fc.constant({ currentPassword: rightPassword, password: { "@password": "other" } }),
  byLink: fc.record({ token: linkFor("reset"), password: fc.constantFrom(...passwords) })
}
const codes = fc.oneof(right, fc.record({ "@recovery": fc.nat(19) }))

export const onceOnly: fc.Arbitrary<ReadonlyArray<CallTemplate>> = fc
  .oneof(
    once("changePassword", withSession, newPasswords.own),
    once("completePasswordReset", visitor, newPasswords.byLink),
    once("logIn", visitor, fc.record({ email: ownEmail, password: fc.constant(rightPassword), code: codes }))
  )
  .chain((template) => fc.integer({ min: 2, max: 3 }).map((length) => Array.from({ length }, () => template)))
