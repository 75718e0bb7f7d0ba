/** Concurrent first logins of one subject: the provider changes its e-mail address meanwhile. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { withoutPostgres } from "../../ExternalDatabase.ts"
import { type OpenIdSetup, openIdSetup, outcomeOf } from "./OpenIdSetup.ts"

describe.skipIf(withoutPostgres)("concurrent first logins of one subject with different addresses", () => {
  let setup: OpenIdSetup
  let otherDomain: string

  beforeAll(async () => {
    setup = await openIdSetup({ OIDC_ROLE_CLAIM: "groups" })
    otherDomain = `other.${setup.domain}`
    const other = await setup.people.createOrganisation()
    await setup.people.createUser(other, "Otto")
    await setup.people.setLoginDomains(other, otherDomain)
  })

  afterAll(() => setup.close())

  /** Logs in several times at once, with the addresses in turn and different roles. */
  const logInAtOnce = async (subject: string, emails: ReadonlyArray<string>) => {
    const { begin, claimsOf, finish, provider, visitor } = setup
    const begun = await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const browser = visitor()
        const asked = await begin(browser)
        const email = emails[index % emails.length]
        const claims = { ...claimsOf(subject), email, groups: [index % 3 === 0 ? "admin" : "member"] }
        return { browser, query: { code: provider.grant(asked, { claims }), state: asked.state } }
      })
    )
    const answers = await Promise.all(begun.map(({ browser, query }) => finish(browser, query)))
    const sessions = await Promise.all(begun.map(({ browser }) => browser.send("GET /console/session")))
    return {
      outcomes: answers.map(outcomeOf),
      users: new Set(sessions.map(({ json }) => Object(json["user"]).id))
    }
  }

  it.each([
    ["that no user has", [], ["a", "b"]],
    ["of which a user has one", ["a"], ["a", "b"]],
    ["that two users have", ["a", "b"], ["a", "b"]],
    ["of two organisations", [], ["a", "a@other"]]
  ])("%s log one user in", async (_, existing, named) => {
    for (let round = 0; round < 5; round++) {
      const run = crypto.randomUUID()
      const addressOf = (name: string) =>
        name.endsWith("@other") ? `${run}@${otherDomain}` : `${name}.${run}@${setup.domain}`
      for (const name of existing) await setup.people.createUser(setup.organisationId, "Ada", addressOf(name))
      const { outcomes, users } = await logInAtOnce(run, named.map(addressOf))
      expect(outcomes).toEqual(outcomes.map(() => 200))
      expect([...users]).toEqual([expect.any(String)])
    }
  })
})
