/** Statements about invitations get ids and inviters of another organisation. */
import { Organisations, type UserId } from "@solar-sites/core"
import { type Effect, Option } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { maximumInvitations } from "../../src/accounts/invitations/InvitationRules.ts"
import { InvitationStore } from "../../src/accounts/invitations/InvitationStore.ts"
import { ownSchemas, withoutPostgres } from "../ExternalDatabase.ts"
import type { Person } from "./AccountsSetup.ts"
import { aDigest, type ForeignSetup, foreignSetup } from "./ForeignSetup.ts"

const inviter = "owner"

describe.skipIf(withoutPostgres)("organisations with invitations", () => {
  const schemas = ownSchemas()
  let setup: ForeignSetup
  let bob: Person

  const store = <A, E>(use: (store: InvitationStore["Service"]) => Effect.Effect<A, E>) =>
    setup.run(InvitationStore.use(use))

  beforeAll(async () => {
    setup = foreignSetup(schemas.next())
    bob = await setup.join()
  })

  afterAll(async () => {
    await setup.close()
    await schemas.drop()
  })

  it("keep theirs with the same ids and addresses", async () => {
    const { organisationId, user } = await setup.join()
    await setup.run(Organisations.use((all) => all.update(organisationId, { name: "Own" })))
    const now = setup.now()
    const invite = async () => {
      const id = crypto.randomUUID()
      const [digest, email] = [aDigest(), `${id}@example.com`]
      const who = { organisationId, id, email, name: null, role: "member", inviter: user.id } as const
      await store((all) => all.insert({ ...who, digest, now, expiresAt: now + 1e9 }))
      await setup.sql(
        `insert into SCHEMA.console_link select (jsonb_populate_record(l, jsonb_build_object(
           'organisation_id', $2::uuid, 'digest', '\\x' || $3::text, 'created_by', $4::uuid))).*
         from SCHEMA.console_link l where l.id = $1::uuid returning id`,
        ...[id, bob.organisationId, aDigest(), bob.user.id]
      )
      return { organisationId, id, digest, by: inviter } as const
    }
    const [renewed, deleted, accepted] = [await invite(), await invite(), await invite()]
    const before = await setup.recordsOf(bob.organisationId)
    const digest = aDigest()
    const acceptance = { name: "Eve", passwordHash: "new:word", now }
    const elsewhere = await setup.newOrganisation()
    const token = { digest, now, expiresAt: now + 1e9 }
    const shown = Option.getOrThrow(await store((all) => all.renew(renewed, token)))
    expect(shown).toMatchObject({ id: renewed.id, organisation: "Own" })
    const ofOther = { ...renewed, organisationId: elsewhere.id }
    expect(Option.isNone(await store((all) => all.renew(ofOther, { ...token, digest: aDigest() })))).toBe(true)
    expect(await store((all) => all.delete(ofOther))).toBe(false)
    expect(Option.getOrThrow(await store((all) => all.find(digest, now)))).toMatchObject({ organisation: "Own" })
    const foreign = await store((all) => all.accept(bob.organisationId, { ...acceptance, digest: accepted.digest }))
    expect(Option.isNone(foreign)).toBe(true)
    await store((all) => all.markMailed(bob.organisationId, digest, now))
    expect((await store((all) => all.list(organisationId, now))).every(({ mailedAt }) => mailedAt === null)).toBe(true)
    expect(await store((all) => all.delete(deleted))).toBe(true)
    expect(
      Option.isSome(await store((all) => all.accept(organisationId, { ...acceptance, digest: accepted.digest })))
    ).toBe(true)
    expect((await store((all) => all.list(organisationId, now))).map(({ id }) => id)).toEqual([renewed.id])
    await setup.run(Organisations.use((all) => all.update(organisationId, { status: "inactive" })))
    expect(Option.isNone(await store((all) => all.renew(renewed, token)))).toBe(true)
    expect(Option.isNone(await store((all) => all.accept(organisationId, { ...acceptance, digest })))).toBe(true)
    expect(await setup.recordsOf(bob.organisationId)).toEqual(before)
  })

  // An archive can give the id of a deleted inviter to a user of another organisation.
  it("have no inviters here", async () => {
    const { organisationId, user } = await setup.join()
    const ends = { now: setup.now(), expiresAt: setup.now() + 1e9 }
    await setup.sql(
      `insert into SCHEMA.console_link
         (organisation_id, id, purpose, digest, login, email, role, created_by, created_at, expires_at)
       select $1::uuid, lpad(n::text, 32, '0')::uuid, 'invitation', decode(lpad(n::text, 64, '0'), 'hex'),
         n || '@example.com', n || '@example.com', 'owner', $2::uuid, now(), now() + interval '1 day'
       from generate_series(1, $3::int) n returning id`,
      ...[organisationId, bob.user.id, String(maximumInvitations + 1)]
    )
    const [id, digest] = ["1".padStart(32, "0"), "1".padStart(64, "0")]
    const acceptance = { name: "Eve", passwordHash: "new:word", now: ends.now }
    expect(await store((all) => all.list(organisationId, ends.now))).toEqual([])
    expect(Option.isNone(await store((all) => all.find(digest, ends.now)))).toBe(true)
    expect(
      Option.isNone(
        await store((all) => all.renew({ organisationId, id, by: inviter }, { ...ends, digest: aDigest() }))
      )
    ).toBe(true)
    expect(Option.isNone(await store((all) => all.accept(organisationId, { ...acceptance, digest })))).toBe(true)
    const insert = (email: string, inviter: UserId) => {
      const who = { organisationId, id: crypto.randomUUID(), email, name: null, role: "member", inviter } as const
      return store((all) => all.insert({ ...who, ...ends, digest: aDigest() }))
    }
    expect(await insert("1@example.com", user.id)).toMatchObject({ email: "1@example.com", inviter: user.name })
    expect(await insert("new@example.com", bob.user.id)).toBe("gone")
  })
})
