import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { layerPortsWith, PgClient } from "@solar-sites/adapter-postgres"
import * as Pglite from "@solar-sites/adapter-postgres/pglite"
import {
  type Change,
  EventId,
  EventRepository,
  OrganisationId,
  OrganisationRepository,
  organisationKind,
  organisationReference,
  originWithoutEvents,
  Records,
  Stale,
  siteKind,
  type Write
} from "@solar-sites/core"
import { anOrganisation, aSite } from "@solar-sites/testing"
import { Effect, Layer } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { options, ownSchema, shared, temporaryFolder, withoutPostgres } from "./Databases.ts"
import { copyEmptyDatabase } from "./EmptyDatabase.ts"
import { aMember, at, Badge, badgeKind, Member, memberKind, members, migrated } from "./HostRecords.ts"

const embedded = Effect.fnUntraced(function* () {
  const dataDir = join(yield* temporaryFolder, "database")
  yield* Effect.promise(() => copyEmptyDatabase(dataDir))
  return yield* Layer.build(migrated(Pglite.layer({ dataDir, queryTimeout: "30 seconds" })))
})

const onServer = Effect.fnUntraced(function* () {
  const schema = yield* ownSchema()
  return yield* Layer.build(migrated(PgClient.layer(options(schema))))
})

const insertion = (kind: Write["kind"], after: { readonly id: string }): Write => ({
  kind,
  id: after.id,
  before: null,
  after
})

const change = (writes: ReadonlyArray<Write>, more: Partial<Change> = {}): Change => ({
  writes,
  reads: [],
  events: [],
  origin: originWithoutEvents(at),
  at,
  ...more
})

const operation = "test"

describe.each([
  ["an embedded database", false, embedded],
  ["a Postgres server", withoutPostgres, onServer]
])("record kinds of an application on %s", (_, isMissing, acquire) => {
  const database = shared(acquire())
  afterAll(database.close)

  const test = (name: string, check: Effect.Effect<unknown, unknown, Layer.Success<typeof database.layer>>) =>
    it.skipIf(isMissing)(name, () => Effect.runPromise(Effect.provide(check, database.layer)))

  const newOrganisation = Effect.gen(function* () {
    const organisation = anOrganisation({ id: OrganisationId.make(randomUUID()) })
    yield* (yield* OrganisationRepository).insert(organisation)
    return organisation.id
  })

  const memberOf = Effect.fnUntraced(function* (organisationId: OrganisationId, id: string) {
    const { load } = yield* Records
    return (yield* load(operation, organisationId, [{ kind: memberKind, by: "id", values: [id] }])).byId(memberKind, id)
  })

  test(
    "are stored, found and changed as those of core",
    Effect.gen(function* () {
      const { commit, load } = yield* Records
      const organisationId = yield* newOrganisation
      const member = aMember(organisationId, { nickname: "Ada" })
      const badge = new Badge({ id: randomUUID(), organisationId, memberId: member.id })
      const created = change([insertion(badgeKind, badge), insertion(memberKind, member)])
      expect(yield* commit(operation, organisationId, created)).toMatchObject({ _tag: "Committed" })

      const finds = [
        { kind: memberKind, by: "digest", values: ["00ff"] },
        { kind: memberKind, by: "nickname", values: ["Ada"] },
        { kind: memberKind, by: "organisationId", values: [organisationId] },
        { kind: badgeKind, by: "memberId", values: [member.id] }
      ]
      const found = yield* load(operation, organisationId, finds)
      expect(found.answers.map(({ stored }) => stored.map(({ record }) => record))).toEqual([
        [member],
        [member],
        [member],
        [badge]
      ])
      const before = yield* memberOf(organisationId, member.id)
      if (before === null) throw new Error("no member")
      const renamed = new Member({ ...member, nickname: null })
      const writes: ReadonlyArray<Write> = [{ kind: memberKind, id: member.id, before, after: renamed }]
      expect(yield* commit(operation, organisationId, change(writes))).toMatchObject({ _tag: "Committed" })
      expect((yield* memberOf(organisationId, member.id))?.record).toEqual(renamed)
      // A second change of the same state.
      expect(yield* commit(operation, organisationId, change(writes))).toBeInstanceOf(Stale)

      const { run, schema } = yield* PgClient
      const text = `select note from ${schema}.host_member where id = '${member.id}'`
      expect(yield* run({ operation, text })).toEqual([["kept"]])
    })
  )

  test(
    "are changed together with records of core, as a whole, with events",
    Effect.gen(function* () {
      const { commit, load } = yield* Records
      const organisationId = yield* newOrganisation
      const member = aMember(organisationId)
      const site = aSite({ organisationId })
      const event = {
        type: "user.created",
        subjectId: member.id,
        subjectName: "Ada",
        siteId: null,
        changes: { login: { from: null, to: "ada" } }
      } as const
      const origin = { ...originWithoutEvents(at), id: EventId.make(randomUUID()) }
      const both = change([insertion(memberKind, member), insertion(siteKind, site)], { events: [event], origin })
      expect(yield* commit(operation, organisationId, both)).toMatchObject({ _tag: "Committed" })
      const again = change([insertion(memberKind, aMember(organisationId)), insertion(siteKind, site)])
      expect(yield* commit(operation, organisationId, again)).toBeInstanceOf(Stale)
      const found = yield* load(operation, organisationId, [
        { kind: memberKind, by: "organisationId", values: [organisationId] },
        { kind: siteKind, by: "id", values: [site.id] }
      ])
      expect(found.answers.map(({ stored }) => stored.length)).toEqual([1, 1])
      const { items } = yield* (yield* EventRepository).list(
        organisationId,
        {},
        { after: null, limit: 9, order: "asc" }
      )
      expect(items.map(({ changes, type }) => [type, changes])).toEqual([[event.type, event.changes]])
    })
  )

  test(
    "say which value is taken in another organisation, and store nothing",
    Effect.gen(function* () {
      const { commit } = yield* Records
      const [mine, other] = [yield* newOrganisation, yield* newOrganisation]
      const first = aMember(other, { login: "ada" })
      yield* commit(operation, other, change([insertion(memberKind, first)]))
      const second = aMember(mine, { login: "ada" })
      const badge = new Badge({ id: randomUUID(), organisationId: mine, memberId: second.id })
      const writes = [insertion(memberKind, second), insertion(badgeKind, badge)]
      expect(yield* commit(operation, mine, change(writes))).toMatchObject({
        _tag: "Stale",
        taken: { kind: "member", member: "login" }
      })
      expect(yield* memberOf(mine, second.id)).toBeNull()
      expect(yield* memberOf(mine, first.id)).toBeNull()
    })
  )

  test(
    "are stale for a taken unique value, a missing reference, a removed one and a missing organisation",
    Effect.gen(function* () {
      const { commit } = yield* Records
      const organisationId = yield* newOrganisation
      const member = aMember(organisationId, { nickname: "Ada" })
      const badge = new Badge({ id: randomUUID(), organisationId, memberId: member.id })
      yield* commit(operation, organisationId, change([insertion(memberKind, member), insertion(badgeKind, badge)]))
      const before = yield* memberOf(organisationId, member.id)
      if (before === null) throw new Error("no member")
      const unknown = OrganisationId.make(randomUUID())
      const lost = new Badge({ ...badge, id: randomUUID(), memberId: randomUUID() })
      const attempts: ReadonlyArray<readonly [OrganisationId, Write]> = [
        [organisationId, insertion(memberKind, aMember(organisationId, { nickname: "Ada" }))],
        [organisationId, insertion(badgeKind, lost)],
        [organisationId, { kind: memberKind, id: member.id, before, after: null }],
        [unknown, insertion(memberKind, aMember(unknown))]
      ]
      for (const [id, write] of attempts) {
        expect(yield* commit(operation, id, change([write]))).toBeInstanceOf(Stale)
      }
      expect((yield* memberOf(organisationId, member.id))?.record).toEqual(member)
    })
  )

  test(
    "are decided together with the state of the organisation",
    Effect.gen(function* () {
      const { commit, load } = yield* Records
      const organisationId = yield* newOrganisation
      const finds = [
        { kind: organisationKind, by: "id", values: [organisationId] },
        { kind: organisationReference, by: "id", values: [organisationId] }
      ]
      const found = (yield* load(operation, organisationId, finds)).byId(organisationKind, organisationId)
      expect(found?.record).toMatchObject({ id: organisationId, status: "active" })
      const reads = [{ kind: organisationKind, id: organisationId, revision: found?.revision ?? null }]
      const organisations = yield* OrganisationRepository
      const origin = { ...originWithoutEvents(at), id: EventId.make(randomUUID()) }
      yield* organisations.update(organisationId, { status: "inactive" }, origin)
      const creation = change([insertion(memberKind, aMember(organisationId))], { reads })
      expect(yield* commit(operation, organisationId, creation)).toBeInstanceOf(Stale)
    })
  )
})

describe("tables of an application", () => {
  it("have kinds of different names", () => {
    expect(() => layerPortsWith({ tables: [members, members] })).toThrow("two record kinds have the same name")
  })
})
