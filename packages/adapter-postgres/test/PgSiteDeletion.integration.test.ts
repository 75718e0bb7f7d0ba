import { assert, describe, it } from "@effect/vitest"
import { layerPorts, PgClient } from "@solar-sites/adapter-postgres"
import { OrganisationRepository } from "@solar-sites/core"
import { aDocument, anOrganisation, aSite, documentMethods, siteMethods } from "@solar-sites/testing"
import { DateTime, Effect, Layer } from "effect"
import { onPostgres, withoutPostgres } from "./Databases.ts"
import { recording } from "./scale/Plans.ts"
import { textIn, withConstants } from "./Texts.ts"

const count = 1_000
const addressExpiresAt = DateTime.makeUnsafe("2026-06-01T12:00:00Z")

const insertSite = Effect.fnUntraced(function* () {
  const { id: organisationId } = anOrganisation()
  yield* (yield* OrganisationRepository).insert(anOrganisation({ id: organisationId }))
  const site = aSite({ organisationId })
  yield* (yield* siteMethods).insert(organisationId, site)
  return site
})

describe.skipIf(withoutPostgres)("the deletion of a site with many documents", () => {
  it.live("reads each list of documents once, also while tables have no statistics", () =>
    Effect.gen(function* () {
      const direct = yield* PgClient
      const { schema } = direct
      const run = (text: string) => direct.run({ operation: "test", text })
      for (const name of ["document", "deleted_file"])
        yield* run(`alter table ${schema}.${name} set (autovacuum_enabled = false)`)

      const { recorded, service } = recording(direct)
      const ports = layerPorts.pipe(Layer.provide(Layer.succeed(PgClient, service)))
      const empty = yield* insertSite()
      const remove = Effect.flatMap(siteMethods, (sites) => sites.delete(empty.organisationId, empty.id))
      yield* Effect.provide(remove, ports)
      const [deletion] = recorded().filter(({ operation }) => operation === "SiteRepository.delete")
      assert.isDefined(deletion)

      const { id, organisationId } = yield* insertSite()
      const documents = Array.from({ length: count }, () => aDocument({ organisationId, siteId: id }))
      yield* (yield* documentMethods).insertMany(organisationId, id, documents, addressExpiresAt)
      const parameters = [organisationId, id, ...deletion.parameters.slice(2)]
      const rows = yield* run(`explain analyze ${withConstants(textIn(schema, deletion.text), parameters)}`)
      const plan = rows.flat().join("\n")
      assert.match(plan, new RegExp(`Delete on document .*rows=${count}\\b`))
      const read = [...plan.matchAll(/rows=([\d.]+) loops=(\d+)\)/g)].map(
        ([, each, loops]) => Number(each) * Number(loops)
      )
      assert.isAtMost(Math.max(...read), 2 * count, plan)
    }).pipe(Effect.provide(Layer.effectContext(onPostgres())))
  )
})
