/**
 * Generated calls of the console: users, sessions, invitations, keys, and the organisation.
 */
import * as fc from "fast-check"
import { allScopes } from "../operations.ts"
import { password } from "./Administration.ts"
import { anId, marked, mostly, type NamedStep, some, step } from "./Parts.ts"

const role = mostly(fc.constantFrom("owner", "admin", "member", "viewer"), "boss", null)
const name = mostly(marked("Ada", "Bob "), "", 7)

const email = fc.record({
  "@email": fc.nat(4),
  of: fc.constantFrom("own" as const, "foreign" as const, "new" as const, "new" as const)
})
const link = fc.record({ "@link": fc.nat(11) })

const words = mostly(fc.constant(password), "short")
const login = fc.record({ email: fc.record({ "@email": fc.nat(4), of: fc.constant("own" as const) }), password: words })
const scopes = fc.oneof(fc.subarray([...allScopes], { minLength: 1 }), fc.constantFrom(["sites:fly"], []))

export const peopleSteps: ReadonlyArray<NamedStep> = [
  step("logIn", { body: login }),
  step("logOut"),
  step("getSession"),
  step("listUsers"),
  step("updateUser", { ids: [anId("users")], body: some({}, { role, name, colour: fc.constant("red") }) }),
  step("deleteUser", { ids: [anId("users", 6)] }),
  step("endSessionsOfUser", { ids: [anId("users")] }),
  step("endOtherSessions"),
  step("listInvitations"),
  step("createInvitation", { body: some({ email: mostly(email, "nobody", 7), role }, { name }) }),
  step("renewInvitation", { ids: [anId("invitations")] }),
  step("withdrawInvitation", { ids: [anId("invitations", 6)] }),
  step("lookAtInvitation", { body: fc.record({ token: link }) }),
  step("acceptInvitation", { body: fc.record({ token: link, name: mostly(fc.constant("Eve"), ""), password: words }) }),
  step("listApiKeys"),
  step("createApiKey", { body: some({ name }, { expiresInDays: mostly(fc.constantFrom(1, 90), 0, 1.5), scopes }) }),
  step("rotateApiKey", {
    ids: [anId("apiKeys")],
    body: some({}, { overlap: mostly(fc.constantFrom("0s", "1h", null), "soon") })
  }),
  step("deleteApiKey", { ids: [anId("apiKeys", 4)] }),
  step("renameOrganisation", { body: some({ name: mostly(marked("Organisation", "Solar"), "") }) }),
  step("getOrganisationUse")
]
