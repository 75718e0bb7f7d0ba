/**
 * Operations of sites.
 */
import { type Case, mebibyte, nothing, once, page } from "./Case.ts"
import { aSite, createDocuments, createLarge, largest, mostLarge, powers, several } from "./Sizes.ts"

const ofLargest =
  (method: string, body?: unknown): Case["prepare"] =>
  async (ask) => {
    const [id] = await createLarge(ask, 1)
    return [`${method} /api/sites/${id}`, body]
  }

export const siteCases: ReadonlyArray<Case> = [
  {
    operation: "createSite",
    input: "the largest site",
    answerBytes: 2 * mebibyte,
    storedBytes: 2 * mebibyte,
    prepare: once("POST /api/sites", largest)
  },
  {
    operation: "createSite",
    input: "50 attributes of `1e300`",
    answerBytes: 40_000,
    storedBytes: 120_000,
    prepare: once("POST /api/sites", { ...aSite, attributes: powers })
  },
  {
    operation: "updateSite",
    input: "`{}` to the largest site",
    answerBytes: mebibyte / 2,
    storedBytes: 100_000,
    prepare: ofLargest("PUT", {})
  },
  {
    operation: "updateSite",
    input: "`null` for its attributes",
    answerBytes: 20_000,
    storedBytes: mebibyte,
    prepare: ofLargest("PUT", { attributes: null })
  },
  {
    operation: "bulkSites",
    input: "1,000 smallest sites",
    answerBytes: mebibyte,
    storedBytes: 8 * mebibyte,
    prepare: once("POST /api/sites/bulk", { sites: several(1_000, () => aSite) })
  },
  {
    operation: "bulkSites",
    input: "8 MiB of the largest sites",
    answerBytes: page,
    storedBytes: 24 * mebibyte,
    prepare: once("POST /api/sites/bulk", { sites: several(36, () => largest) })
  },
  {
    operation: "bulkSites",
    input: "external ids of the largest sites",
    answerBytes: page,
    storedBytes: 100_000,
    prepare: async (ask) => {
      await createLarge(ask, mostLarge)
      return [
        "POST /api/sites/bulk",
        { mode: "upsert", sites: several(mostLarge, (index) => ({ externalId: String(index) })) }
      ]
    }
  },
  {
    operation: "listSites",
    input: "a page of the largest sites",
    answerBytes: page,
    storedBytes: 100_000,
    prepare: async (ask, { largeSites }) => {
      await createLarge(ask, largeSites)
      return ["GET /api/sites?limit=1000"]
    }
  },
  {
    operation: "listSites",
    input: "a page of 50 attributes of `1e300`",
    answerBytes: page,
    storedBytes: 100_000,
    prepare: async (ask) => {
      for (const _ of several(2, String)) {
        await ask("POST /api/sites/bulk", { sites: several(50, () => ({ ...aSite, attributes: powers })) })
      }
      return ["GET /api/sites?limit=1000"]
    }
  },
  {
    operation: "getSite",
    input: "the largest",
    answerBytes: mebibyte / 2,
    storedBytes: nothing,
    prepare: ofLargest("GET")
  },
  {
    operation: "deleteSite",
    input: "the largest",
    answerBytes: 0,
    storedBytes: 2 * mebibyte,
    prepare: ofLargest("DELETE")
  },
  {
    operation: "deleteSite",
    input: "with the stored documents",
    answerBytes: 0,
    storedBytes: 16 * mebibyte,
    prepare: async (ask, { sites }) => {
      const { documents, siteId } = await createDocuments(ask, sites)
      if (documents.length < sites) throw new Error("Too few documents.")
      return [`DELETE /api/sites/${siteId}`]
    }
  }
]
