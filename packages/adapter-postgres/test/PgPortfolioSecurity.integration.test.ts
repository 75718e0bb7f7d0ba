/** Row-level security of callers that are limited to portfolios: statements that forget the limit. */
import { assert, describe, it } from "@effect/vitest"
import { type layerPorts, PgClient } from "@solar-sites/adapter-postgres"
import {
  documentKind,
  type EventOrigin,
  PortfolioRepository,
  type Reach,
  Records,
  SiteRepository,
  siteKind,
  type Write
} from "@solar-sites/core"
import { aDocument, aSite } from "@solar-sites/testing"
import { type Context, Effect, type Layer, type Scope } from "effect"
import { withoutPostgres } from "./Databases.ts"
import { asBoundRole } from "./Roles.ts"
import { at, everyList, forgetful, page, twoPlaces } from "./TwoPlaces.ts"

type Ports = Context.Context<Layer.Success<typeof layerPorts> | PgClient>

const bound = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof layerPorts> | PgClient | Scope.Scope>) =>
  Effect.flatMap(asBoundRole(), (ports: Ports) => Effect.provide(effect, ports))

const isRefused = (error: unknown) => assert.include(String(Reflect.get(Object(error), "cause")), "row-level security")

const write = (
  origin: EventOrigin,
  { organisationId, portfolioIds: within }: Exclude<Reach, string>,
  ...writes: ReadonlyArray<Write>
) =>
  Effect.flatMap(Records, ({ commit }) =>
    commit("test", organisationId, { writes, reads: [], events: [], origin, at, within })
  )

describe.skipIf(withoutPostgres)("row-level security of a limited caller", () => {
  it.live("hides other portfolios from every list that forgets the limit", () =>
    bound(
      Effect.gen(function* () {
        const { organisationId, other, own, reach } = yield* twoPlaces
        const ports = yield* forgetful(reach.portfolioIds)
        const nothing = yield* forgetful([])
        for (const place of [own, other]) {
          const expected = yield* everyList(reach, place)
          assert.deepStrictEqual(yield* Effect.provide(everyList(organisationId, place), ports), expected)
          assert.notDeepEqual(yield* everyList(organisationId, place), expected)
          const none = yield* everyList({ organisationId, portfolioIds: [] }, place)
          assert.deepStrictEqual(yield* Effect.provide(everyList(organisationId, place), nothing), none)
        }
      })
    )
  )

  it.live("hides other portfolios from loads", () =>
    bound(
      Effect.gen(function* () {
        const { organisationId, other, own, reach } = yield* twoPlaces
        const { load } = yield* Records
        const finds = [
          { kind: siteKind, by: "id", values: [own.site.id, other.site.id] },
          { kind: siteKind, by: "externalId", values: ["own", "other"] },
          { kind: documentKind, by: "id", values: [own.document.id, other.document.id] },
          { kind: documentKind, by: "siteId", values: [own.site.id, other.site.id] }
        ]
        const idsIn = (within?: typeof reach.portfolioIds) =>
          Effect.map(load("test", organisationId, finds, within && { within }), ({ answers }) =>
            answers.map(({ stored }) => stored.map(({ record }) => Reflect.get(record, "id")))
          )
        const [site, document] = [[own.site.id], [own.document.id]]
        assert.deepStrictEqual(yield* idsIn(reach.portfolioIds), [site, site, document, document])
        assert.deepStrictEqual(yield* idsIn([]), [[], [], [], []])
        assert.deepStrictEqual(
          (yield* idsIn()).map((ids) => ids.length),
          [2, 2, 2, 2]
        )
      })
    )
  )

  it.live("hides every table of portfolios and sites from a statement without a condition", () =>
    bound(
      Effect.gen(function* () {
        const { organisationId, own } = yield* twoPlaces
        const { run, schema } = yield* PgClient
        const count = (table: string, portfolioIds: ReadonlyArray<string> | null) => {
          const text = `select count(*)::int from ${schema}.${table} where $1::text is not null`
          const scope = { organisationId, portfolioIds }
          return Effect.map(
            run({ operation: "test", text, parameters: ["x"], readOnly: true, scope }),
            ([row]) => row?.[0]
          )
        }
        const [limited, unlimited] = [[own.portfolio.id], null]
        for (const [table, inside, all] of [
          ["portfolio", 1, 2],
          ["site", 1, 3],
          ["document", 1, 2],
          ["requirement", 2, 3],
          ["event", 6, 14]
        ] as const) {
          assert.deepStrictEqual([yield* count(table, limited), yield* count(table, unlimited)], [inside, all], table)
        }
        const columns = `select distinct c.relname::text from pg_class c join pg_attribute a on a.attrelid = c.oid
          where c.relnamespace = to_regnamespace($1::text) and c.relkind = 'r' and a.attname in ('portfolio_id', 'site_id')
            and not exists (select from pg_policy p where p.polrelid = c.oid and not p.polpermissive)`
        // Files to delete are claimed for all portfolios.
        const unguarded = yield* run({ operation: "test", text: columns, parameters: [schema] })
        assert.deepStrictEqual(unguarded, [["deleted_file"]])
      })
    )
  )

  it.live("reads and writes every table of portfolios and sites by policies of its own", () =>
    bound(
      Effect.gen(function* () {
        const { run, schema } = yield* PgClient
        const text = `select tablename || ' ' || cmd from pg_policies cross join lateral (
            select case cmd when 'SELECT' then 'solar.read_portfolio_ids' else 'solar.written_portfolio_ids' end as name
          ) setting
          where schemaname = trim('"' from $1::text) and permissive = 'RESTRICTIVE'
            and (cmd = 'INSERT' or qual like '%' || setting.name || '%')
            and (cmd in ('SELECT', 'DELETE') or with_check like '%' || setting.name || '%')`
        const found = (yield* run({ operation: "test", text, parameters: [schema] })).map(([name]) => name)
        const tables = ["document", "portfolio", "requirement", "site", "webhook", "webhook_delivery"]
        const expected = tables.flatMap((table) =>
          ["DELETE", "INSERT", "SELECT", "UPDATE"].map((command) => `${table} ${command}`)
        )
        assert.deepStrictEqual(found.toSorted(), [...expected, "event SELECT"].toSorted())
      })
    )
  )

  it.live("refuses a commit that puts a site or a document outside, and leaves outside records unchanged", () =>
    bound(
      Effect.gen(function* () {
        const { organisationId, origin, other, own, reach } = yield* twoPlaces
        const { load } = yield* Records
        const { answers } = yield* load("test", organisationId, [
          { kind: siteKind, by: "id", values: [own.site.id] },
          { kind: siteKind, by: "id", values: [other.site.id] }
        ])
        const [before, outside] = answers.map(({ stored }) => stored[0])
        if (before === undefined || outside === undefined) throw new Error("a site is missing")
        const moved = (portfolioId: unknown) =>
          Object.assign(Object.create(Object.getPrototypeOf(before.record)), before.record, { portfolioId })
        const { id } = own.site
        isRefused(yield* Effect.flip(write(origin, reach, { kind: siteKind, id, before, after: moved(null) })))
        const created = aSite({ organisationId, portfolioId: null })
        const creation = { kind: siteKind, id: created.id, before: null, after: created }
        isRefused(yield* Effect.flip(write(origin, reach, creation)))
        // The other portfolio is absent.
        const away = yield* write(origin, reach, { kind: siteKind, id, before, after: moved(other.portfolio.id) })
        assert.strictEqual(away._tag, "Stale")

        const document = aDocument({ organisationId, siteId: other.site.id })
        const upload = { kind: documentKind, id: document.id, before: null, after: document }
        assert.strictEqual((yield* write(origin, reach, upload))._tag, "Stale")

        const change = { kind: siteKind, id: other.site.id, before: outside }
        for (const after of [null, outside.record]) {
          assert.strictEqual((yield* write(origin, reach, { ...change, after }))._tag, "Stale")
        }
        assert.strictEqual(
          (yield* write(origin, reach, { kind: siteKind, id: own.site.id, before, after: before.record }))._tag,
          "Committed"
        )
      })
    )
  )

  it.live("refuses statements on many records that forget the limit", () =>
    bound(
      Effect.gen(function* () {
        const { organisationId, origin, other, own, reach } = yield* twoPlaces
        const ports = yield* forgetful(reach.portfolioIds)
        yield* Effect.gen(function* () {
          const sites = yield* SiteRepository
          const { moveSites } = yield* PortfolioRepository
          assert.isNull(yield* sites.delete(organisationId, other.site.id, { origin }))
          const move = { portfolioId: own.portfolio.id, siteIds: [other.site.id], direction: "into" } as const
          assert.deepStrictEqual((yield* moveSites(organisationId, move, { at, origin }))?.missing, [other.site.id])
          const away = { portfolioId: own.portfolio.id, siteIds: [own.site.id], direction: "outOf" } as const
          isRefused(yield* Effect.flip(moveSites(organisationId, away, { at, origin })))
          const site = aSite({ organisationId, portfolioId: null })
          const save = [{ site, changes: null }]
          isRefused(yield* Effect.flip(sites.saveMany(organisationId, save, { at, dryRun: false, origin })))
        }).pipe(Effect.provide(ports))
        assert.strictEqual((yield* (yield* SiteRepository).list(organisationId, {}, page)).items.length, 3)
      })
    )
  )
})
