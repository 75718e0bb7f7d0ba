import { EventRepository, type OrganisationId } from "@solar-sites/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { temporaryFolder } from "../SolarSitesProcess.ts"
import { type AccountsSetup, accountsSetup } from "./AccountsSetup.ts"

const wrong = "not the right words"

describe("events of logins", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let setup: AccountsSetup

  beforeAll(async () => {
    folder = await temporaryFolder()
    setup = accountsSetup({ DATA_DIR: folder.path, QUERY_TIMEOUT: "30s" }, { isFrozen: true })
    await setup.newOrganisation()
  })

  afterAll(async () => {
    await setup.close()
    await folder[Symbol.asyncDispose]()
  })

  const eventsOf = async (organisationId: OrganisationId) => {
    const page = { after: null, limit: 100, order: "asc" } as const
    const { items } = await setup.run(EventRepository.use((events) => events.list(organisationId, {}, page)))
    return items.filter(({ type }) => /^user\.log/.test(type))
  }

  const count = async (organisationId: OrganisationId) => (await eventsOf(organisationId)).length

  it("name the user, who is the actor of a successful one", async () => {
    const { organisationId, user } = await setup.join()
    await setup.refusal(user.email, wrong)
    await expect.poll(() => count(organisationId)).toBe(1)
    await setup.logIn(user.email)
    const subject = { type: "user", id: user.id, name: "Ada" }
    const events = (await eventsOf(organisationId)).map(({ actor, changes, subject, type }) => ({
      type,
      subject,
      changes,
      userId: actor.userId
    }))
    expect(events).toEqual([
      { type: "user.login_failed", subject, changes: { reason: { from: null, to: "password" } }, userId: null },
      { type: "user.logged_in", subject, changes: { method: { from: null, to: "password" } }, userId: user.id }
    ])
  })

  it("of failures are at most ten per user in a quarter of an hour", async () => {
    const [ada, bob] = [await setup.join(), await setup.join()]
    for (let index = 0; index < 15; index++) await setup.refusal(ada.user.email, wrong)
    await setup.refusal(bob.user.email, wrong)
    await expect.poll(() => count(bob.organisationId)).toBe(1)
    await expect.poll(() => count(ada.organisationId)).toBe(10)
    setup.advance("90 seconds")
    await setup.refusal(ada.user.email, wrong)
    await expect.poll(() => count(ada.organisationId)).toBe(11)
  })

  it("are not written for unknown users", async () => {
    const { id } = await setup.newOrganisation()
    const { organisationId, user } = await setup.join()
    await setup.refusal(`unknown.${user.email}`, wrong)
    await setup.refusal(user.email, wrong)
    await expect.poll(() => count(organisationId)).toBe(1)
    expect(await count(id)).toBe(0)
  })
})
