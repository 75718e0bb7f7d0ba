/** Statements about invitations get ids and inviters of another organisation. */
import { type OrganisationId, Organisations } from "@solar-sites/core"
import { DateTime, Result } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  acceptInvitation,
  createInvitation,
  findsOfInvitations,
  markMailed,
  maximumInvitations,
  renewInvitation,
  standing,
  standingByDigest,
  withdrawInvitation
} from "../../../src/accounts/invitations/InvitationRules.ts"
import { operatorOf } from "../../../src/accounts/people/Authority.ts"
import { ownSchemas, withoutPostgres } from "../../ExternalDatabase.ts"
import type { Person } from "../AccountsSetup.ts"
import { aDigest, type ForeignSetup, foreignSetup } from "../ForeignSetup.ts"

type Created = Parameters<typeof createInvitation>[0]
type Named = Pick<Created, "id" | "organisationId">

const [notFound, invalid] = [{ _tag: "InvitationNotFound" }, { _tag: "LinkInvalid" }]

describe.skipIf(withoutPostgres)("organisations with invitations", () => {
  const schemas = ownSchemas()
  let setup: ForeignSetup
  let bob: Person

  const insert = (who: Pick<Created, "organisationId" | "email" | "inviter"> & Partial<Created>) => {
    const times = { createdAt: at(), expiresAt: soon() }
    const made = { id: crypto.randomUUID(), digest: aDigest(), login: who.email, name: null, role: "member" } as const
    const created = { ...made, ...times, domain: "example.com", isForeign: false, ...who }
    return setup.decide(createInvitation(created))
  }
  const renew = ({ id, organisationId }: Named, digest: string) =>
    setup.decide(renewInvitation(id, operatorOf(organisationId), { digest, expiresAt: soon() }))
  const withdraw = ({ id, organisationId }: Named) => setup.decide(withdrawInvitation(id, operatorOf(organisationId)))
  const accept = (organisationId: OrganisationId, digest: string) =>
    setup.decide(acceptInvitation(organisationId, digest, "Eve", "new:word"))
  const list = async (organisationId: OrganisationId) =>
    standing(await setup.load(organisationId, findsOfInvitations(organisationId)), operatorOf(organisationId), at())
  const find = async (organisationId: OrganisationId, digest: string) => {
    const found = await setup.load(organisationId, findsOfInvitations(organisationId, "digest", digest))
    return Result.map(standingByDigest(found, digest, at()), ({ invitation }) => invitation)
  }
  const at = () => DateTime.makeUnsafe(setup.now())
  const soon = () => DateTime.makeUnsafe(setup.now() + 1e9)

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
    const invite = async () => {
      const id = crypto.randomUUID()
      const digest = aDigest()
      await insert({ organisationId, id, digest, email: `${id}@example.com`, inviter: user.id })
      await setup.sql(
        `insert into SCHEMA.console_link select (jsonb_populate_record(l, jsonb_build_object(
           'organisation_id', $2::uuid, 'digest', '\\x' || $3::text, 'created_by', $4::uuid))).*
         from SCHEMA.console_link l where l.id = $1::uuid returning id`,
        ...[id, bob.organisationId, aDigest(), bob.user.id]
      )
      return { organisationId, id, digest }
    }
    const [renewed, deleted, accepted] = [await invite(), await invite(), await invite()]
    const before = await setup.recordsOf(bob.organisationId)
    const digest = aDigest()
    const elsewhere = await setup.newOrganisation()
    expect(await renew(renewed, digest)).toMatchObject({ id: renewed.id, organisation: "Own" })
    const ofOther = { ...renewed, organisationId: elsewhere.id }
    await expect(renew(ofOther, aDigest())).rejects.toMatchObject(notFound)
    await expect(withdraw(ofOther)).rejects.toMatchObject(notFound)
    expect(Result.getOrThrow(await find(organisationId, digest))).toMatchObject({ organisation: "Own" })
    await expect(accept(bob.organisationId, accepted.digest)).rejects.toMatchObject(invalid)
    await setup.decide(markMailed(bob.organisationId, digest, at()))
    expect((await list(organisationId)).every(({ mailedAt }) => mailedAt === null)).toBe(true)
    await withdraw(deleted)
    expect(await accept(organisationId, accepted.digest)).toMatchObject({ id: accepted.id })
    expect((await list(organisationId)).map(({ id }) => id)).toEqual([renewed.id])
    await setup.run(Organisations.use((all) => all.update(organisationId, { status: "inactive" })))
    await expect(renew(renewed, digest)).rejects.toMatchObject(notFound)
    await expect(accept(organisationId, digest)).rejects.toMatchObject(invalid)
    expect(await setup.recordsOf(bob.organisationId)).toEqual(before)
  })

  it("keep those to a domain that they have claimed themselves", async () => {
    const { organisationId, user } = await setup.join()
    const domain = "own.example"
    const digest = aDigest()
    await insert({ organisationId, digest, domain, email: `eve@${domain}`, inviter: user.id })
    await setup.sql(
      "insert into SCHEMA.console_login_domain (organisation_id, domain) values ($1::uuid, $2::text) returning domain",
      ...[organisationId, domain]
    )
    expect(Result.getOrThrow(await find(organisationId, digest))).toMatchObject({ email: `eve@${domain}` })
  })

  // An archive can give the id of a deleted inviter to a user of another organisation.
  it("have no inviters here", async () => {
    const { organisationId, user } = await setup.join()
    await setup.sql(
      `insert into SCHEMA.console_link
         (organisation_id, id, purpose, digest, login, email, role, created_by, created_at, expires_at)
       select $1::uuid, lpad(n::text, 32, '0')::uuid, 'invitation', decode(lpad(n::text, 64, '0'), 'hex'),
         n || '@example.com', n || '@example.com', 'owner', $2::uuid, now(), now() + interval '1 day'
       from generate_series(1, $3::int) n returning id`,
      ...[organisationId, bob.user.id, String(maximumInvitations + 1)]
    )
    const [id, digest] = ["1".padStart(32, "0"), "1".padStart(64, "0")]
    expect(await list(organisationId)).toEqual([])
    expect(Result.isFailure(await find(organisationId, digest))).toBe(true)
    await expect(renew({ organisationId, id }, aDigest())).rejects.toMatchObject(notFound)
    await expect(accept(organisationId, digest)).rejects.toMatchObject(invalid)
    expect(await insert({ organisationId, email: "1@example.com", inviter: user.id })).toMatchObject({
      email: "1@example.com",
      inviter: user.name
    })
    const byBob = insert({ organisationId, email: "new@example.com", inviter: bob.user.id })
    await expect(byBob).rejects.toMatchObject(notFound)
  })
})
