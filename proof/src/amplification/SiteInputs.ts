/**
 * Operations of sites.
 */
import { type Case, caseOf, mebibyte, nothing, once, page } from "./Case.ts"
import { aSite, createDocuments, createLarge, largest, mostLarge, powers, several } from "./Sizes.ts"

const ofLargest =
  (method: string, body?: unknown): Case["prepare"] =>
  async (ask) => {
    const [id] = await createLarge(ask, 1)
    return [`${method} /api/sites/${id}`, body]
  }

export const siteCases: ReadonlyArray<Case> = [
  caseOf(
    "createSite",
    "the largest site",
    { answer: 2 * mebibyte, stored: 2 * mebibyte },
    once("POST /api/sites", largest)
  ),
  caseOf(
    "createSite",
    "50 attributes of `1e300`",
    { answer: 40_000, stored: 120_000 },
    once("POST /api/sites", { ...aSite, attributes: powers })
  ),
  caseOf("updateSite", "`{}` to the largest site", { answer: mebibyte / 2, stored: 100_000 }, ofLargest("PUT", {})),
  caseOf(
    "updateSite",
    "`null` for its attributes",
    { answer: 20_000, stored: mebibyte },
    ofLargest("PUT", { attributes: null })
  ),
  caseOf(
    "bulkSites",
    "1,000 smallest sites",
    { answer: mebibyte, stored: 8 * mebibyte },
    once("POST /api/sites/bulk", { sites: several(1_000, () => aSite) })
  ),
  caseOf(
    "bulkSites",
    "8 MiB of the largest sites",
    { answer: page, stored: 24 * mebibyte },
    once("POST /api/sites/bulk", { sites: several(36, () => largest) })
  ),
  caseOf("bulkSites", "external ids of the largest sites", { answer: page, stored: 100_000 }, async (ask) => {
    await createLarge(ask, mostLarge)
    return [
      "POST /api/sites/bulk",
      { mode: "upsert", sites: several(mostLarge, (index) => ({ externalId: String(index) })) }
    ]
  }),
  caseOf("listSites", "a page of the largest sites", { answer: page, stored: 100_000 }, async (ask, { largeSites }) => {
    await createLarge(ask, largeSites)
    return ["GET /api/sites?limit=1000"]
  }),
  caseOf("listSites", "a page of 50 attributes of `1e300`", { answer: page, stored: 100_000 }, async (ask) => {
    for (const _ of several(2, String)) {
      await ask("POST /api/sites/bulk", { sites: several(50, () => ({ ...aSite, attributes: powers })) })
    }
    return ["GET /api/sites?limit=1000"]
  }),
  caseOf("getSite", "the largest", { answer: mebibyte / 2, stored: nothing }, ofLargest("GET")),
  caseOf("deleteSite", "the largest", { answer: 0, stored: 2 * mebibyte }, ofLargest("DELETE")),
  caseOf("deleteSite", "with the stored documents", { answer: 0, stored: 16 * mebibyte }, async (ask, { sites }) => {
    const { documents, siteId } = await createDocuments(ask, sites)
    if (documents.length < sites) throw new Error("Too few documents.")
    return [`DELETE /api/sites/${siteId}`]
  })
]
