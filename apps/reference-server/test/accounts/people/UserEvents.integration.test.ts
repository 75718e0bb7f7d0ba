import { Caller, CurrentCaller, EventRepository, type OrganisationId, UserId } from "@solar-sites/core"
import { Effect, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { loginFailures } from "../../../src/accounts/login/LoginLimits.ts"
import type { User } from "../../../src/accounts/people/User.ts"
import { userAdministration } from "../../../src/accounts/people/Users.ts"
import { migratedAt } from "../../Prepared.ts"
import { temporaryFolder } from "../../SolarSitesProcess.ts"
import { type AccountsSetup, accountsSetup, passwordOf } from "../AccountsSetup.ts"

const wrong = "not the right words"

describe("events of users", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let setup: AccountsSetup

  beforeAll(async () => {
    folder = await temporaryFolder()
    setup = accountsSetup(await migratedAt(folder.path), { isFrozen: true })
    await setup.newOrganisation()
  })

  afterAll(async () => {
    await setup.close()
    await folder[Symbol.asyncDispose]()
  })

  const eventsOf = async (organisationId: OrganisationId) => {
    const page = { after: null, limit: 100, order: "asc" } as const
    const { items } = await setup.run(EventRepository.use((events) => events.list(organisationId, {}, page)))
    return items.map(({ actor, changes, siteId, subject, type }) => ({
      type,
      subject,
      siteId,
      changes,
      userId: actor.userId
    }))
  }

  it("are written with the change, and hold no password or hash", async () => {
    const { organisationId, user } = await setup.join()
    const administrator = UserId.make("admin-1")
    const caller = new Caller({ organisationId, userId: administrator, apiKeyId: null })
    const change = Effect.flatMap(userAdministration, (users) =>
      users.setPassword(user.id, passwordOf("another horse battery"))
    )
    await setup.run(Effect.provideService(change, CurrentCaller, caller))
    await setup.run(Effect.flatMap(userAdministration, (users) => users.delete(user.id)))
    const event = { subject: { type: "user", id: user.id, name: "Ada" }, siteId: null, userId: null }
    expect(await eventsOf(organisationId)).toEqual([
      {
        ...event,
        type: "user.created",
        changes: {
          email: { from: null, to: user.email },
          name: { from: null, to: "Ada" },
          role: { from: null, to: "owner" }
        }
      },
      {
        ...event,
        type: "user.updated",
        changes: { password: { from: null, to: null } },
        userId: administrator
      },
      {
        ...event,
        type: "user.deleted",
        changes: {
          email: { from: user.email, to: null },
          name: { from: "Ada", to: null },
          role: { from: "owner", to: null }
        }
      }
    ])
  })

  it("are not written for what is refused", async () => {
    const [{ organisationId, user }, other] = [await setup.join(), await setup.newOrganisation()]
    const before = await eventsOf(organisationId)
    const taken = {
      organisationId: other.id,
      email: user.email,
      name: "Eve",
      password: passwordOf("some horse battery")
    }
    const unknown = UserId.make(crypto.randomUUID())
    for (const refused of [
      Effect.flatMap(userAdministration, (users) => users.create(taken)),
      Effect.flatMap(userAdministration, (users) => users.setPassword(unknown, passwordOf("some horse battery"))),
      Effect.flatMap(userAdministration, (users) => users.delete(unknown))
    ]) {
      await setup.run(
        Effect.flip<unknown, { readonly _tag: string }, Effect.Services<typeof userAdministration>>(refused)
      )
    }
    expect(await eventsOf(organisationId)).toEqual(before)
    expect(await eventsOf(other.id)).toEqual([])
  })

  const loginsOf = async (organisationId: OrganisationId) =>
    (await eventsOf(organisationId)).filter(({ type }) => /^user\.log/.test(type))

  const count = async (organisationId: OrganisationId) => (await loginsOf(organisationId)).length

  it("of logins name the user, who is the actor of a successful one", async () => {
    const { organisationId, user } = await setup.join()
    await setup.refusal(user.email, wrong)
    await expect.poll(() => count(organisationId)).toBe(1)
    await setup.logIn(user.email)
    const subject = { type: "user", id: user.id, name: "Ada" }
    const event = { subject, siteId: null }
    expect(await loginsOf(organisationId)).toEqual([
      { ...event, type: "user.login_failed", changes: { reason: { from: null, to: "password" } }, userId: null },
      { ...event, type: "user.logged_in", changes: { method: { from: null, to: "password" } }, userId: user.id }
    ])
  })

  it("of failed logins are at most ten per user in a quarter of an hour", async () => {
    const [ada, bob] = [await setup.join(), await setup.join()]
    for (let index = 0; index < 15; index++) await setup.refusal(ada.user.email, wrong)
    await setup.refusal(bob.user.email, wrong)
    await expect.poll(() => count(bob.organisationId)).toBe(1)
    await expect.poll(() => count(ada.organisationId)).toBe(10)
    setup.advance("90 seconds")
    await setup.refusal(ada.user.email, wrong)
    await expect.poll(() => count(ada.organisationId)).toBe(11)
  })

  it("of failed logins are not written for unknown users", async () => {
    const { id } = await setup.newOrganisation()
    const { organisationId, user } = await setup.join()
    await setup.refusal(`unknown.${user.email}`, wrong)
    await setup.refusal(user.email, wrong)
    await expect.poll(() => count(organisationId)).toBe(1)
    expect(await count(id)).toBe(0)
  })

  it("of failed logins are not written for users of another organisation", async () => {
    const [ada, bob] = [await setup.join(), await setup.join()]
    const fail = (user: Pick<User, "id" | "organisationId">) => {
      const attempt = { email: ada.user.email, passwordVersion: 1, clientAddress: undefined }
      // The event is written after the count.
      const counting = Effect.flatMap(loginFailures, (count) => count(attempt, user, "password"))
      return setup.run(Effect.provideService(counting, Scope.Scope, Scope.makeUnsafe()))
    }
    await fail({ id: ada.user.id, organisationId: bob.organisationId })
    await fail(bob.user)
    const failed = async () => (await loginsOf(bob.organisationId)).map(({ subject }) => subject.id)
    await expect.poll(failed).toEqual([bob.user.id])
  })
})
