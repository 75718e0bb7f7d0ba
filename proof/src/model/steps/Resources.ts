/**
 * Generated calls of sites, portfolios and documents.
 */
import * as fc from "fast-check"
import { anId, marked, mostly, type NamedStep, parameters, some, step } from "./Parts.ts"

const externalId = fc.constantFrom("X-1", "X-2", "X-3", null)
const siteName = mostly(marked("South", "north field", "Über"), "", 7, "a\u0000b")
const order = fc.constantFrom("asc", "desc")
const word = fc.constantFrom("south", "NORTH", "uber", "X-1", "nowhere", "field n")

const siteOptional = {
  address: fc.oneof(marked("Mill Lane\n7"), fc.constant(null)),
  latitude: mostly(fc.constantFrom(51.5, -90, null), 91),
  longitude: mostly(fc.constantFrom(0, 180, null), "0"),
  portfolioId: fc.oneof(anId("portfolios"), fc.constant(null)),
  siteManager: fc.oneof(fc.record({ name: marked("Ada"), phone: fc.constant("1234") }), fc.constant(null)),
  coverImageUrl: mostly(fc.constantFrom("https://images.example/a.png", null), "http://images.example/a.png"),
  externalId,
  tags: mostly(fc.uniqueArray(fc.constantFrom("roof", "field", "old"), { maxLength: 3 }), ["a", "a"], "roof"),
  attributes: mostly(fc.record({ owner: marked("Mill"), rows: fc.nat(9) }), { deep: {} }, 7),
  ...{ id: fc.constant("ignored"), version: fc.constant(99) }
}

const capacity = mostly(fc.constantFrom(1, 2.5, 500), 0, -1, "1", 1e10)
const unit = mostly(fc.constantFrom("kW", "MW", "kWp", "MWp"), "kwh", null)
export const newSite = some({ siteName, capacity, unit, externalId }, { ...siteOptional, colour: fc.constant("red") })
export const siteChange = some({}, { ...siteOptional, siteName, capacity, unit, colour: fc.constant("red") })

const siteSteps: ReadonlyArray<NamedStep> = [
  step("createSite", { body: newSite }),
  step("updateSite", { ids: [anId("sites")], body: siteChange }),
  step("getSite", { ids: [anId("sites")] }),
  step("deleteSite", { ids: [anId("sites", 4)] }),
  step("listSites", {
    query: parameters({
      siteId: anId("sites"),
      portfolioId: anId("portfolios"),
      q: word,
      tag: fc.constantFrom("roof", "field"),
      externalId: fc.constantFrom("X-1", "X-2"),
      unit: fc.constantFrom("kW", "MW"),
      sort: fc.constantFrom("createdAt", "siteName", "capacityKw"),
      order
    })
  })
]

const portfolio = some(
  { name: mostly(marked("East", "west"), "", null), externalId },
  { externalId, colour: fc.constant(1) }
)
const siteIds = fc.oneof(
  fc.record({ siteIds: fc.array(anId("sites"), { minLength: 1, maxLength: 3 }) }),
  fc.record({ siteId: anId("sites") })
)

const portfolioSteps: ReadonlyArray<NamedStep> = [
  step("createPortfolios", {
    body: fc.oneof(
      fc.array(portfolio, { minLength: 1, maxLength: 3 }),
      fc.record({ portfolios: fc.array(portfolio, { maxLength: 2 }) })
    )
  }),
  step("updatePortfolio", { ids: [anId("portfolios")], body: some({}, { name: marked("East", "north"), externalId }) }),
  step("getPortfolio", { ids: [anId("portfolios")] }),
  step("deletePortfolio", { ids: [anId("portfolios", 4)] }),
  step("addSitesToPortfolio", { ids: [anId("portfolios")], body: siteIds }),
  step("removeSitesFromPortfolio", { ids: [anId("portfolios")], body: siteIds }),
  step("removeSitesFromPortfolio", {
    ids: [anId("portfolios")],
    query: fc.array(fc.tuple(fc.constant("siteId"), anId("sites")), { minLength: 1, maxLength: 2 })
  }),
  step("listPortfolios", {
    query: parameters({ q: word, externalId: fc.constant("X-1"), sort: fc.constantFrom("createdAt", "name"), order })
  }),
  step("listPortfoliosWithSites", { query: parameters({}) })
]

const date = mostly(fc.constantFrom("2026-01-01", "2026-06-15", "2027-01-01", null), "2026-02-30", 7)
const documentType = mostly(fc.constantFrom("insurance", "ppa", null), "passport")
const filename = mostly(marked("lease", "Plan"), "a/b", "")
const metadata = { documentType, note: marked("paid"), validFrom: date, validUntil: date }

const file = some(
  { filename, mimeType: mostly(fc.constantFrom("application/pdf", "image/png"), "text/html", "") },
  { ...metadata, fileSize: mostly(fc.constant(5), 1e12, 1.5), replaces: anId("documents", 20) }
)

const status = fc.constantFrom("uploaded", "approved", "approved", "completed", "failed")

const documentSteps: ReadonlyArray<NamedStep> = [
  step("issueUploadUrls", {
    body: some(
      {
        siteId: anId("sites"),
        fileType: mostly(fc.constantFrom("documents", "documents", "om-documents", "coverImage"), "report"),
        files: fc.array(file, { minLength: 1, maxLength: 3 })
      },
      { omRecordId: marked("om") }
    )
  }),
  step("changeDocumentStatus", {
    ids: [anId("documents")],
    body: some({}, { status, filename, ...metadata, path: fc.constant("ignored") })
  }),
  step("changeDocumentStatus", { ids: [anId("documents")], body: fc.record({ status, reason: marked("blurred") }) }),
  step("getDocument", { ids: [anId("documents")] }),
  step("deleteDocument", { ids: [anId("documents", 4)] }),
  step("listRevisions", { ids: [anId("documents")] }),
  step("getDownloadUrl", { ids: [anId("documents")] }),
  step("reissueUploadUrl", { ids: [anId("documents")] }),
  step("listDocuments", {
    query: parameters({
      siteId: anId("sites"),
      portfolioId: anId("portfolios"),
      type: fc.constantFrom("documents", "coverImage"),
      documentType: fc.constant("insurance"),
      status,
      current: fc.constantFrom("true", "false"),
      q: fc.constantFrom("lease", "PAID"),
      validUntilBefore: fc.constant("2026-12-31"),
      sort: fc.constantFrom("createdAt", "filename", "validUntil"),
      order
    })
  })
]

export const resourceSteps = [...siteSteps, ...portfolioSteps, ...documentSteps]
