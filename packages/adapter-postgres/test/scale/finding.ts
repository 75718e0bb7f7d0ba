/**
 * Times of search and order: first pages of 100 of an organisation with 100,000 sites, whose rows lie
 * between those of four others. Prints medians, and the cost of the same page by id.
 *
 * `DATABASE_URL` is the server; by default one is started for the run. `ORGANISATIONS` is the number of
 * organisations, and `SITES` that of the sites of each.
 */
import { layerPorts, migrate, PgClient } from "@solar-sites/adapter-postgres"
import { OrganisationRepository, type SiteConditions, type SiteSort } from "@solar-sites/core"
import { anOrganisation, siteMethods } from "@solar-sites/testing"
import { DateTime, Effect, Layer, Redacted } from "effect"
import postgres from "postgres"
import { findServer } from "../EmbeddedPostgres.ts"

const schema = `solar_finding_${process.pid}`
const count = Number(process.env["SITES"] ?? "100000")
const owners = Number(process.env["ORGANISATIONS"] ?? "5")
const calls = 15

const insertSites = (organisationIds: ReadonlyArray<string>): string => `
  insert into ${schema}.site (
    organisation_id, id, site_name, address, capacity, unit, kilowatts_per_unit, external_id, created_at, updated_at,
    version
  )
  select (array['${organisationIds.join("','")}'])[1 + n % ${owners}]::uuid,
         ('0197a3b0-' || lpad(to_hex(n / 4096), 4, '0') || '-7000-8' || lpad(to_hex(n % 4096), 3, '0')
           || '-' || left(md5(n::text), 12))::uuid,
         (array['Solarpark', 'Dachanlage', 'Freifläche', 'Solar farm'])[1 + n % 4] || ' '
           || (array['München', 'Köln', 'Long Meadow', 'Kraków', 'İzmir', 'Leeds', 'Sevilla'])[1 + n % 7] || ' ' || n,
         'Hauptstraße ' || n % 300 || ', ' || 10000 + n % 80000, 1 + n % 1000, 'kW', 1, 'S-' || n,
         timestamptz '2026-01-01T00:00:00Z', timestamptz '2026-01-01T00:00:00Z' + n * interval '1 second', 1
  from generate_series(1, ${count * owners}) n`

const works: Readonly<Record<string, readonly [SiteConditions, SiteSort | null]>> = {
  "by id": [{}, null],
  "two frequent words": [{ q: "solar munchen" }, null],
  "two words of one site": [{ q: "s-4711 hauptstrasse" }, null],
  "two words of no site": [{ q: "hauptstrasse nowhere" }, null],
  "external id": [{ externalId: "S-5" }, null],
  "updated in the last hour": [
    { updatedAfter: DateTime.makeUnsafe(Date.UTC(2026, 0, 1) + (count * owners - 3_600) * 1_000) },
    null
  ],
  "by name": [{}, "siteName"],
  "two words, by name": [{ q: "solar munchen" }, "siteName"],
  "by update": [{}, "updatedAt"],
  "by capacity": [{}, "capacityKw"]
}

const median = (all: ReadonlyArray<number>) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN

const program = (url: string) =>
  Effect.gen(function* () {
    yield* migrate
    const organisations = yield* OrganisationRepository
    const all = Array.from({ length: owners }, () => anOrganisation())
    yield* Effect.forEach(all, organisations.insert)
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    yield* Effect.promise(async () => {
      await sql.unsafe(insertSites(all.map(({ id }) => id)))
      await sql.unsafe(`vacuum analyze ${schema}.site`)
      await sql.end()
    })
    const { list } = yield* siteMethods
    const organisationId = all[0]?.id ?? anOrganisation().id
    let byId = Number.NaN
    for (const [what, [conditions, by]] of Object.entries(works)) {
      const took: Array<number> = []
      for (let call = 0; call < calls; call++) {
        const sort = by === null ? {} : { sort: { by, order: "asc", value: null } as const }
        const started = performance.now()
        yield* list(organisationId, conditions, { after: null, limit: 100, ...sort })
        took.push(performance.now() - started)
      }
      if (Number.isNaN(byId)) byId = median(took)
      const ratio = (median(took) / byId).toFixed(1)
      console.log(`${what.padEnd(32)}${median(took).toFixed(2).padStart(8)} ms ${ratio.padStart(8)} ×`)
    }
  })

const server = await findServer()
if (server === undefined) throw new Error("there is no Postgres")
try {
  const client = PgClient.layer({ url: Redacted.make(server.url), schema })
  const ports = layerPorts.pipe(Layer.provideMerge(client))
  await Effect.runPromise(Effect.provide(program(server.url), ports))
} finally {
  await server.stop()
}
