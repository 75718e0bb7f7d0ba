import {
  CalendarDate,
  documentRecords,
  ExpiryReport,
  type PortfolioId,
  Portfolios,
  Requirements,
  Sites
} from "@solar-sites/core"
import { aDocument, aRequirement } from "@solar-sites/testing"
import { DateTime, Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { reports } from "../../src/digest/DigestWorker.ts"
import { makeImporting } from "../import/Importing.ts"

const asOf = CalendarDate.make("2026-03-01")
const at = DateTime.makeUnsafe("2026-02-01T00:00:00Z")

/** An expired document of a type that no requirement names. */
const expired = { documentType: "ppa", validUntil: CalendarDate.make("2026-02-02") } as const

describe("the report on what expires", () => {
  let importing: Awaited<ReturnType<typeof makeImporting>>
  beforeAll(async () => {
    importing = await makeImporting()
  })
  afterAll(() => importing.close())

  /** A site that lacks a document and has an expired one. */
  const addSite = Effect.fnUntraced(function* (portfolioId: PortfolioId | null, siteName: string) {
    const { id: siteId, organisationId } = yield* (yield* Sites).create({
      siteName,
      capacity: 1,
      unit: "kW",
      ...(portfolioId === null ? {} : { portfolioId })
    })
    const documents = yield* documentRecords
    const document = aDocument({ organisationId, siteId, ...expired })
    yield* documents.insertMany(organisationId, siteId, [document], at)
    yield* documents.step(organisationId, document.id, { to: "uploaded", sizeBytes: 3 }, { at })
  })

  it("has the sites of a caller that is limited to portfolios alone", async () => {
    const { runAs, runLimited } = await importing.join()
    const inside = await runAs(
      Effect.gen(function* () {
        const [inside, outside] = yield* (yield* Portfolios).createMany([{ name: "Inside" }, { name: "Outside" }])
        if (inside === undefined || outside === undefined) throw new Error("two portfolios were expected")
        yield* addSite(inside.id, "Hill")
        yield* addSite(outside.id, "Moor")
        yield* addSite(null, "Field")
        yield* (yield* Requirements).replace({ requirements: [aRequirement()] })
        return inside.id
      })
    )
    const page = Effect.flatMap(ExpiryReport, (report) => report.page({ asOf, after: null, limit: 100 })).pipe(
      Effect.provide(reports),
      Effect.map(({ items, rest }) => ({ items: items.map(({ siteName, state }) => `${siteName} ${state}`), rest }))
    )
    const every = ["Hill", "Moor", "Field"].flatMap((siteName) => [`${siteName} expired`, `${siteName} missing`])
    expect((await runAs(page)).items.toSorted()).toEqual(every.toSorted())
    expect(await runLimited([inside], page)).toEqual({ items: ["Hill expired", "Hill missing"], rest: 0 })
    expect(await runLimited([], page)).toEqual({ items: [], rest: 0 })
  })
})
