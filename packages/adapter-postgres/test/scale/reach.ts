/**
 * Times of lists for callers that are limited to 1 and to 50 of 1,000 portfolios, against the same list of the whole
 * organisation, which has 100,000 sites, 200,000 documents and 300,000 events. Prints the tenth part of
 * times that is quickest, and limited ÷ unlimited.
 *
 * `DATABASE_URL` is the server; by default one is started for the run. `SITES` is the number of sites; a portfolio has a
 * hundred. `DOCUMENTS` is the number of documents of a site. `ONLY` is a part of the names of lists.
 */
import { layerPorts, migrate, PgClient } from "@solar-sites/adapter-postgres"
import {
  CalendarDate,
  DocumentRepository,
  type DocumentSort,
  EventRepository,
  ExternalId,
  PortfolioId,
  PortfolioRepository,
  type Reach,
  type RepositoryError,
  RequirementRepository,
  requirementListRecords,
  SiteRepository,
  type SiteSort
} from "@solar-sites/core"
import { anOrganisation, aRequirement, aSite } from "@solar-sites/testing"
import { DateTime, Effect, Layer, Redacted } from "effect"
import postgres from "postgres"
import { findServer } from "../EmbeddedPostgres.ts"

const schema = `solar_reach_${process.pid}`
const count = Number(process.env["SITES"] ?? "100000")
const documentsPerSite = Number(process.env["DOCUMENTS"] ?? "2")
const only = process.env["ONLY"] ?? ""
const perPortfolio = 100
const calls = 31
const { id: organisationId } = anOrganisation()
const asOf = CalendarDate.make("2026-11-22")

/** Ids that ascend with `n`, as those of a service do. */
const id = (kind: string, n: string) =>
  `(lpad(to_hex(1767225600000 + ${n}), 12, '0') || '7' || left(md5('${kind}' || (${n})), 3) || '8' || substr(md5('${kind}' || (${n})), 4, 15))::uuid`

// Sites of a portfolio are made one after the other with those of all others.
const portfolioOf = (n: string) => id("p", `${n} % ${count / perPortfolio}`)

const instant = "timestamptz '2026-01-01T00:00:00Z'"

const tables: ReadonlyArray<readonly [table: string, rows: number, insert: string]> = [
  [
    "portfolio",
    count / perPortfolio,
    `(organisation_id, id, name, created_at, updated_at, version)
     select '${organisationId}', ${id("p", "n")}, 'Portfolio ' || n % 77, ${instant}, ${instant} + n * interval '1 s', 1`
  ],
  [
    "site",
    count,
    `(organisation_id, id, portfolio_id, site_name, address, external_id, capacity, unit, kilowatts_per_unit, created_at,
      updated_at, version)
     select '${organisationId}', ${id("s", "n")}, ${portfolioOf("n")},
            (array['Solarpark', 'Dachanlage', 'Freifläche', 'Solar farm'])[1 + n % 4] || ' ' ||
            (array['München', 'Köln', 'Long Meadow', 'Kraków', 'İzmir', 'Leeds', 'Sevilla'])[1 + n % 7] || ' ' || n,
            'Hauptstraße ' || n % 300, 'S-' || n, 1 + n % 997, 'kW', 1, ${instant}, ${instant} + n * interval '1 s', 1`
  ],
  [
    "document",
    count * documentsPerSite,
    `(organisation_id, id, site_id, type, document_type, filename, status, mime_type, created_at, updated_at, version,
      address_expires_at, valid_until)
     select '${organisationId}', ${id("d", "n")}, ${id("s", `(n * 7919) % ${count}`)}, 'documents',
            (array['epc', 'insurance'])[1 + n / ${count} % 2], 'Report ' || n % 5000 || '.pdf',
            case when n % 1000 = 0 then 'uploaded' else 'approved' end,
            'application/pdf', ${instant}, ${instant} + n * interval '1 s', 1, ${instant},
            case when n % 4 <> 0 then date '2026-01-01' + (n % 900)::int end`
  ],
  [
    "event",
    count * 3,
    `(organisation_id, sequence, id, type, occurred_at, user_id, subject_id, subject_name, site_id, changes)
     select '${organisationId}', n + 1, ${id("e", "n")},
            case when n % 3 = 0 then 'site.updated' else 'document.uploaded' end, ${instant} + n * interval '10 s',
            'user-' || n % 1000, case when n % 3 = 0 then ${id("s", `n / 3 % ${count}`)} else ${id("d", "n")} end, 'x',
            ${id("s", `n / 3 % ${count}`)}, '{}'`
  ],
  [
    // Deleted sites of all portfolios.
    "event",
    count / 10,
    `(organisation_id, sequence, id, type, occurred_at, user_id, subject_id, subject_name, site_id, changes)
     select '${organisationId}', ${count} * 3 + n + 1, ${id("x", "n")}, 'site.deleted', ${instant} + interval '2 years',
            'user-1', ${id("g", "n")}, 'x', ${id("g", "n")},
            json_build_object('portfolioId', json_build_object('from', ${portfolioOf("n")}, 'to', null))`
  ]
]

const rowsPerStep = 50_000

const prepare = Effect.fnUntraced(function* (url: string) {
  yield* migrate
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  yield* Effect.promise(async () => {
    await sql.unsafe(`insert into ${schema}.organisation values ('${organisationId}', 'Large', 'active')`)
    await sql.unsafe(`insert into ${schema}.event_sequence values ('${organisationId}', ${count * 4}, now())`)
    for (const [table, rows, insert] of tables) {
      for (let from = 0; from < rows; from += rowsPerStep) {
        const to = Math.min(from + rowsPerStep, rows) - 1
        await sql.unsafe(`insert into ${schema}.${table} ${insert} from generate_series(${from}::bigint, ${to}) n`)
      }
      await sql.unsafe(`vacuum analyze ${schema}.${table}`)
    }
    await sql.end()
  })
  const requirements = [aRequirement({ documentType: "epc" }), aRequirement({ documentType: "insurance" })]
  yield* (yield* requirementListRecords).replace(organisationId, requirements, { at: yield* DateTime.now })
})

type List = (reach: Reach) => Effect.Effect<unknown, RepositoryError>

/** Every list, by what it is. */
const lists = Effect.gen(function* () {
  const [sites, portfolios, documents] = [yield* SiteRepository, yield* PortfolioRepository, yield* DocumentRepository]
  const [coverage, events] = [yield* RequirementRepository, yield* EventRepository]
  const page = { after: null, limit: 100 }
  const sorted = <By>(by: By, order: "asc" | "desc" = "asc") => ({ ...page, sort: { by, order, value: null } })
  const site = (by: SiteSort) => (reach: Reach) => sites.list(reach, {}, sorted(by, "desc"))
  const document = (by: DocumentSort) => (reach: Reach) => documents.list(reach, {}, sorted(by))
  const feed =
    (conditions: Parameters<typeof events.list>[1], order: "asc" | "desc" = "asc", after: number | null = null): List =>
    (reach) =>
      events.list(reach, conditions, { after, limit: 100, order })
  const siteId = (yield* sites.list(organisationId, {}, page)).items[50]?.id ?? aSite().id
  const lastHour = DateTime.makeUnsafe(Date.UTC(2026, 0, 1) + (count * documentsPerSite - 3_600) * 1_000)
  const half = DateTime.makeUnsafe(Date.UTC(2026, 0, 1) + count * 15_000)
  const all: Readonly<Record<string, List>> = {
    "sites by id": (reach) => sites.list(reach, {}, page),
    "sites by id, page of 1,000 (CSV)": (reach) => sites.list(reach, {}, { after: null, limit: 1_000 }),
    "sites by creation, newest first": site("createdAt"),
    "sites by name": site("siteName"),
    "sites by update": site("updatedAt"),
    "sites by capacity": site("capacityKw"),
    "sites, search for two frequent words": (reach) => sites.list(reach, { q: "solar munchen" }, page),
    "sites, search for no site": (reach) => sites.list(reach, { q: "nowhere" }, page),
    "sites, search by name": (reach) => sites.list(reach, { q: "solar munchen" }, sorted("siteName")),
    "sites by unit": (reach) => sites.list(reach, { unit: "kW" }, page),
    "sites by external id": (reach) => sites.list(reach, { externalId: ExternalId.make("S-5") }, page),
    portfolios: (reach) => portfolios.list(reach, {}, page),
    "portfolios by name": (reach) => portfolios.list(reach, {}, sorted("name")),
    "portfolios with sites": (reach) => portfolios.listWithSites(reach, page),
    "documents by id": (reach) => documents.list(reach, {}, page),
    "documents by creation, newest first": (reach) => documents.list(reach, {}, sorted("createdAt", "desc")),
    "documents by update": document("updatedAt"),
    "documents by filename": document("filename"),
    "documents by validity": document("validUntil"),
    "documents, search": (reach) => documents.list(reach, { q: "report 12" }, page),
    "documents of a type": (reach) => documents.list(reach, { documentType: "insurance" }, page),
    "documents to review": (reach) => documents.list(reach, { status: "uploaded" }, page),
    "documents updated in the last hour": (reach) => documents.list(reach, { updatedAfter: lastHour }, page),
    "documents that expire": (reach) =>
      documents.list(reach, { validUntilBefore: asOf, current: true }, sorted("validUntil")),
    "documents approved, by update": (reach) =>
      documents.list(reach, { status: "approved" }, sorted("updatedAt", "desc")),
    "documents to review, by update": (reach) =>
      documents.list(reach, { status: "uploaded" }, sorted("updatedAt", "desc")),
    "documents, search for none": (reach) => documents.list(reach, { q: "nowhere" }, page),
    "documents, search by update": (reach) => documents.list(reach, { q: "report 12" }, sorted("updatedAt")),
    "coverage, page": (reach) => coverage.listCoverage(reach, { asOf }, page),
    "coverage, page of expired": (reach) => coverage.listCoverage(reach, { asOf, state: "expired" }, page),
    "coverage, summary": (reach) => coverage.summariseCoverage(reach, { asOf }),
    feed: feed({}),
    "feed, middle": feed({}, "asc", count),
    "feed, the last ten events": feed({}, "asc", count * 3.1 - 10),
    "feed, newest first": feed({}, "desc"),
    "feed of a site": feed({ siteId }),
    "feed of a type": feed({ type: ["site.updated"] }),
    "feed of documents": feed({ type: ["document.*"] }, "desc"),
    "feed of a user": feed({ actorId: "user-7" }),
    "feed from an instant": feed({ from: half })
  }
  return Object.entries(all).filter(([name]) => name.includes(only))
})

// Other work on the machine delays most calls, and not the quietest ones.
const quiet = (all: ReadonlyArray<number>) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 10)] ?? Number.NaN

const measure = Effect.gen(function* () {
  const { run } = yield* PgClient
  const ids = `select id::text from ${schema}.portfolio order by md5(id::text) limit 50`
  const portfolioIds = (yield* run({ operation: "benchmark", text: ids })).map(([one]) => PortfolioId.make(String(one)))
  const reaches: ReadonlyArray<Reach> = [
    organisationId,
    ...[1, 50].map((many) => ({ organisationId, portfolioIds: portfolioIds.slice(0, many) }))
  ]
  console.log(`${"".padEnd(38)}   whole       1 of 1,000      50 of 1,000`)
  for (const [what, list] of yield* lists) {
    const took: ReadonlyArray<Array<number>> = reaches.map(() => [])
    for (let call = 0; call < calls; call++) {
      for (const [index, reach] of reaches.entries()) {
        const started = performance.now()
        yield* list(reach)
        took[index]?.push(performance.now() - started)
      }
    }
    const [whole = Number.NaN, ...limited] = took.map(quiet)
    const ratios = limited.map((one) => `${one.toFixed(2).padStart(8)} ${(one / whole).toFixed(2).padStart(7)} ×`)
    console.log(`${what.padEnd(38)}${whole.toFixed(2).padStart(8)} ms ${ratios.join(" ")}`)
  }
})

const server = await findServer()
if (server === undefined) throw new Error("there is no Postgres")
const client = PgClient.layer({ url: Redacted.make(server.url), schema, queryTimeout: "5 minutes" })
const drop = PgClient.use(({ run, schema }) =>
  run({ operation: "drop", text: `drop schema if exists ${schema} cascade` })
)
try {
  const program = prepare(server.url).pipe(Effect.andThen(measure), Effect.ensuring(Effect.orDie(drop)))
  await Effect.runPromise(Effect.provide(program, Layer.provideMerge(layerPorts, client)))
} finally {
  await server.stop()
}
