import { describe, expect, it } from "@effect/vitest"
import { ExternalId, Sites, storageKey } from "@solar-sites/core"
import { aSite, siteMethods } from "@solar-sites/testing"
import { Effect } from "effect"
import { aPerson, as, services } from "../services.ts"

const externalId = ExternalId.make("A-1")

describe("Sites.bulk", () => {
  it.effect("takes the signed address of a site's own cover as no change, in each organisation", () =>
    Effect.gen(function* () {
      const [sites, repository] = [yield* Sites, yield* siteMethods]
      for (const name of ["one organisation", "another one"]) {
        const person = yield* aPerson
        const { organisationId } = person
        const { id } = aSite()
        const coverImageUrl = storageKey({ organisationId, siteId: id, documentId: aSite().id })
        yield* repository.insert(organisationId, aSite({ id, organisationId, externalId, coverImageUrl }))
        const shown = yield* sites.get(id).pipe(as(person))
        expect(shown.coverImageUrl, name).toContain(`${coverImageUrl}?`)
        const change = { externalId, coverImageUrl: shown.coverImageUrl }
        const input = { mode: "upsert", dryRun: false, sites: [change] } as const
        expect(yield* sites.bulk(input).pipe(as(person)), name).toMatchObject({ data: [{ result: "unchanged" }] })
      }
    }).pipe(Effect.provide(services))
  )
})
