/**
 * Rows in the form of earlier versions of this package.
 */
import { PgClient } from "@solar-sites/adapter-postgres"
import type { Document } from "@solar-sites/core"
import { aDocument, anOrganisation, aSite } from "@solar-sites/testing"
import { Effect } from "effect"

const run = (text: (schema: string) => string) =>
  Effect.flatMap(PgClient, ({ run, schema }) => run({ operation: "test", text: text(schema) }))

const quoted = (text: string | null) => (text === null ? "null" : `'${text}'`)

/** A document in a new organisation and site, failed by default. */
export const oldDocument = Effect.fnUntraced(function* ({
  failureReason = null,
  mimeType = "text/plain",
  status = "failed"
}: Partial<Pick<Document, "failureReason" | "mimeType" | "status">>) {
  const [organisation, site] = [anOrganisation(), aSite()]
  const { id, path } = aDocument({ organisationId: organisation.id, siteId: site.id })
  const ids = `'${organisation.id}'::uuid, '${site.id}'::uuid`
  yield* run((schema) => `insert into ${schema}.organisation values ('${organisation.id}', 'Old', 'active')`)
  yield* run(
    (schema) => `insert into ${schema}.site
      (organisation_id, id, site_name, capacity, unit, kilowatts_per_unit, created_at, updated_at, version)
      values (${ids}, 'Old', 1, 'MW', 1000, now(), now(), 1)`
  )
  yield* run(
    (schema) => `insert into ${schema}.document
      (organisation_id, site_id, id, type, filename, status, mime_type, failure_reason, created_at, updated_at, version,
       address_expires_at)
      values (${ids}, '${id}', 'documents', 'old.pdf', '${status}', '${mimeType}', ${quoted(failureReason)},
              now(), now(), 1, now())`
  )
  return { organisationId: organisation.id, id, path }
})
