/** Invitations to addresses of a domain that another organisation has claimed. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Browser } from "../../console/Browser.ts"
import { withoutPostgres } from "../../ExternalDatabase.ts"
import { type OpenIdSetup, openIdSetup, outcomeOf } from "./OpenIdSetup.ts"

describe.skipIf(withoutPostgres)("an invitation into the domain of another organisation", () => {
  let setup: OpenIdSetup
  let eve: Browser

  beforeAll(async () => {
    setup = await openIdSetup()
    const elsewhere = await setup.people.createOrganisation()
    eve = setup.visitor()
    await eve.logIn(await setup.people.createUser(elsewhere, "Eve"))
  })

  afterAll(() => setup.close())

  const invite = (email: string) => eve.send("POST /console/invitations", { body: { email, role: "member" } })
  const open = async () => Object((await eve.send("GET /console/invitations")).json["data"]).length

  it("is refused with the same text whether or not a user has the address", async () => {
    const { domain, people, organisationId } = setup
    const { email } = await people.createUser(organisationId, "Ada", `ada@${domain}`)
    const answers = [await invite(email), await invite(`free@${domain}`), await invite(`FREE@${domain.toUpperCase()}`)]
    expect(answers.map(({ status, json }) => [status, json["code"]])).toEqual(answers.map(() => [409, "domain_taken"]))
    expect(new Set(answers.map(({ json }) => json["detail"])).size).toBe(1)
    expect(answers[0]?.json["detail"]).not.toContain(domain)
    expect((await invite(`free@sub.${domain}`)).status).toBe(201)
  })

  it("ends with the claim, so that the user of the provider can log in", async () => {
    const { claimsOf, domain, logIn, organisationId, people, visitor } = setup
    const later = `b\u00fccher.${domain}`
    const invited = await invite(`bea@${later}`)
    const [, token] = String(invited.json["link"]).split("#")
    const before = await open()
    await people.setLoginDomains(organisationId, domain, `xn--bcher-kva.${domain}`)
    expect(await open()).toBe(before - 1)
    const use = (path: string, more = {}) => visitor().send(`POST /console/${path}`, { body: { token, ...more } })
    expect((await use("invitations/look")).outcome).toBe("link_invalid")
    const acceptance = { name: "Bea", password: "violet tuna parade" }
    expect((await use("invitations/accept", acceptance)).outcome).toBe("link_invalid")
    expect((await eve.send(`POST /console/invitations/${invited.json["id"]}/resend`)).outcome).toBe(
      "invitation_not_found"
    )
    expect((await invite(`bea@${later}`)).outcome).toBe("domain_taken")
    expect(outcomeOf(await logIn({ claims: claimsOf("Bea", later) }))).toBe(200)
  })

  it("is open to the organisation that has it", async () => {
    const owner = setup.visitor()
    await owner.logIn(setup.owner)
    const body = { email: `new@${setup.domain}`, role: "member" }
    expect((await owner.send("POST /console/invitations", { body })).status).toBe(201)
  })
})
