/** Other organisations have the domain, the owner or the user that a statement needs. */
import { PgClient } from "@solar-sites/adapter-postgres"
import { EventRepository, type OrganisationId } from "@solar-sites/core"
import { Effect, Option } from "effect"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { identityLookUps } from "../../../src/accounts/identity/IdentityLookUps.ts"
import type { Address } from "../../../src/accounts/identity/IdentityRules.ts"
import { loginDomains } from "../../../src/accounts/identity/LoginDomains.ts"
import { providerUsers } from "../../../src/accounts/identity/ProviderUsers.ts"
import type { User } from "../../../src/accounts/people/User.ts"
import { ownSchemas, withoutPostgres } from "../../ExternalDatabase.ts"
import { type AccountsSetup, accountsSetup, type Person } from "../AccountsSetup.ts"

type ProviderUsers = Effect.Success<ReturnType<typeof providerUsers>>

const identity = () => ({ issuer: "https://login.example.com", subject: crypto.randomUUID() })

describe.skipIf(withoutPostgres)("identities of two organisations", () => {
  const schemas = ownSchemas()
  const domain = "example.com"
  let setup: AccountsSetup
  /** A user of the organisation with the domain. */
  let ada: Person
  let bob: Person

  const change = <A, E>(use: (users: ProviderUsers) => Effect.Effect<A, E>) =>
    setup.run(Effect.flatMap(providerUsers("member"), use))
  const addressOf = ({ user: { email } }: Person): Address => ({ email, domain })
  const find = (of: ReturnType<typeof identity>, address?: Address) =>
    setup.run(PgClient.use((client) => identityLookUps(client).find(of, address)))
  const link = (id: User["id"], organisationId: OrganisationId, of = identity()) =>
    change((users) => users.link({ id, organisationId }, of, domain))
  const create = (organisationId: OrganisationId, role: User["role"], of = identity()) => {
    const email = `${crypto.randomUUID()}@example.com`
    const proven = {
      ...of,
      email: Option.some(email),
      name: Option.some("Eve"),
      role: Option.some(role),
      portfolios: Option.none()
    }
    return change((users) => users.create(proven, organisationId, { email, domain }))
  }

  const setDomains = (id: OrganisationId, all: ReadonlyArray<string>) =>
    setup.run(Effect.flatMap(loginDomains, (set) => set(id, all)))

  beforeAll(async () => {
    setup = accountsSetup(schemas.next())
    ada = await setup.join()
    bob = await setup.join()
    await setDomains(ada.organisationId, [domain])
  })

  afterAll(async () => {
    await setup.close()
    await schemas.drop()
  })

  it("are found with the user and the organisation of each", async () => {
    const [ofAda, unknown] = [identity(), identity()]
    expect(await link(ada.user.id, ada.organisationId, ofAda)).toBe(true)
    const known = { user: { id: ada.user.id, organisationId: ada.organisationId }, organisationStatus: "active" }
    expect(await find(ofAda, addressOf(ada))).toMatchObject({
      identity: { known },
      sameEmail: { ...known, isAllowed: true, isLinked: true },
      organisationOfDomain: ada.organisationId
    })
    expect(await find(unknown, addressOf(bob))).toMatchObject({
      identity: null,
      sameEmail: { user: { organisationId: bob.organisationId }, isAllowed: false, isLinked: false }
    })
  })

  it("are stored once by concurrent logins with different addresses", async () => {
    for (let round = 0; round < 10; round++) {
      const of = identity()
      const outcomes = await Promise.all([1, 2, 3, 4].map(() => create(ada.organisationId, "member", of)))
      expect(outcomes.filter((isCreated) => isCreated)).toEqual([true])
    }
  })

  it("take the password and the sessions of a linked user, and say so in its event", async () => {
    const person = await setup.join(ada.organisationId)
    const token = await setup.logIn(person.user.email)
    const colleague = (await setup.join(ada.organisationId)).user
    const other = await setup.logIn(colleague.email)
    const of = identity()
    expect(await link(person.user.id, ada.organisationId, of)).toBe(true)
    expect(await setup.refusal(person.user.email)).toBe("LoginFailed")
    expect([await setup.find(token), (await setup.find(other))?.user.id]).toEqual([undefined, colleague.id])
    const about = { subjectId: person.user.id, type: ["user.updated"] } as const
    const { items } = await setup.run(
      EventRepository.use((events) => events.list(ada.organisationId, about, { after: null, limit: 100, order: "asc" }))
    )
    expect(items.map(({ changes }) => changes)).toEqual([
      { identity: { from: null, to: of.issuer }, password: { from: null, to: null } }
    ])
  })

  it("are not linked to a user of another organisation than the named one", async () => {
    const colleague = await setup.join(ada.organisationId)
    expect(await link(bob.user.id, bob.organisationId)).toBe(false)
    expect(await link(bob.user.id, ada.organisationId)).toBe(false)
    expect(await link(colleague.user.id, bob.organisationId)).toBe(false)
    expect(await link(colleague.user.id, ada.organisationId)).toBe(true)
  })

  it("of a deleted user are none of a user of another organisation with the same id", async () => {
    const [of, { user }] = [identity(), await setup.join(ada.organisationId)]
    const insert = PgClient.use(({ run, schema }) =>
      run({
        operation: "test",
        text: `insert into ${schema}.console_identity (organisation_id, user_id, issuer, subject, created_at)
          values ($1::uuid, $2::uuid, $3, $4, now()) returning user_id`,
        parameters: [bob.organisationId, user.id, of.issuer, of.subject]
      })
    )
    await setup.run(insert)
    const sameEmail = { user: { id: user.id }, isLinked: false }
    expect(await find(of, addressOf({ ...ada, user }))).toMatchObject({ identity: { known: null }, sameEmail })
    expect(await link(user.id, ada.organisationId, of)).toBe(true)
    expect(await find(of)).toMatchObject({ identity: { known: { user: { organisationId: ada.organisationId } } } })
  })

  it("create users where the organisation itself has the domain and an owner", async () => {
    expect(await create(bob.organisationId, "member")).toBe(false)
    expect(await create(ada.organisationId, "member")).toBe(true)
    const { id } = await setup.newOrganisation()
    onTestFinished(async () => {
      await setDomains(id, [])
      await setDomains(ada.organisationId, [domain])
    })
    await setDomains(ada.organisationId, [])
    await setDomains(id, [domain])
    expect(await create(id, "member")).toBe(false)
    expect(await create(id, "owner")).toBe(true)
  })
})
