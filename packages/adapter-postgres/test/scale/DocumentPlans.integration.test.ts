import { assert, describe, it } from "@effect/vitest"
import { layerPorts, migrate, PgClient } from "@solar-sites/adapter-postgres"
import {
  CalendarDate,
  type DocumentConditions,
  DocumentRepository,
  type DocumentSort,
  OrganisationRepository
} from "@solar-sites/core"
import { anOrganisation, aSite, siteMethods } from "@solar-sites/testing"
import { DateTime, Effect, Layer } from "effect"
import { options, ownSchema, withoutPostgres } from "../Databases.ts"
import { indexesOf, recording } from "./Plans.ts"

const asOf = CalendarDate.make("2026-11-22")
const since = DateTime.makeUnsafe("2027-02-15T00:00:00Z")

const lists: ReadonlyArray<readonly [string, DocumentConditions, DocumentSort, index: string]> = [
  ["of a status", { status: "uploaded" }, "createdAt", "document_by_status"],
  ["updated since an instant", { updatedAfter: since }, "createdAt", "document_by_update"],
  ["by update", {}, "updatedAt", "document_by_update"],
  ["by validity", {}, "validUntil", "document_by_validity"],
  [
    "that end before a day, by validity",
    { current: true, validUntilBefore: asOf },
    "validUntil",
    "document_by_validity"
  ]
]

/** Two in a hundred are to be reviewed. */
const fill = (schema: string, organisationId: string, siteId: string) => `
  insert into ${schema}.document (organisation_id, id, site_id, type, filename, status, mime_type, created_at,
    updated_at, version, address_expires_at, valid_until)
  select '${organisationId}', gen_random_uuid(), '${siteId}', 'documents', 'Report.pdf',
         case when n % 50 = 0 then 'uploaded' else 'approved' end, 'application/pdf', now(),
         timestamptz '2026-01-01T00:00:00Z' + n * interval '1 hour', 1, now(), date '2026-01-01' + n % 900
  from generate_series(1, 10000) n`

describe.skipIf(withoutPostgres)("lists of ten thousand documents of one organisation", () => {
  it.live("are read from the index of their order or of their status, not from all documents", () =>
    Effect.gen(function* () {
      const schema = yield* ownSchema()
      yield* Effect.gen(function* () {
        yield* migrate
        const direct = yield* PgClient
        const { recorded, service } = recording(direct)
        const ports = layerPorts.pipe(Layer.provide(Layer.succeed(PgClient, service)))
        yield* Effect.gen(function* () {
          const organisation = anOrganisation()
          const { id: organisationId } = organisation
          yield* (yield* OrganisationRepository).insert(organisation)
          const site = aSite({ organisationId })
          yield* (yield* siteMethods).insert(organisationId, site)
          const run = (text: string) => direct.run({ operation: "test", text })
          yield* run(fill(direct.schema, organisationId, site.id))
          yield* run(`analyze ${direct.schema}.document`)

          const { list } = yield* DocumentRepository
          for (const [what, conditions, by, index] of lists) {
            for (const order of ["asc", "desc"] as const) {
              const { items } = yield* list(organisationId, conditions, {
                after: null,
                limit: 50,
                sort: { by, order, value: null }
              })
              assert.lengthOf(items, 50)
              const statement = recorded().findLast(({ operation }) => operation === "DocumentRepository.list")
              assert(statement !== undefined)
              assert.deepStrictEqual(yield* indexesOf(direct, statement), [index, "document_pkey"], `${what}, ${order}`)
            }
          }
        }).pipe(Effect.provide(ports))
      }).pipe(Effect.provide(PgClient.layer(options(schema))))
    })
  )
})
