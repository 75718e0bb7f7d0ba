/**
 * The largest legal inputs, and the ones that make most of few bytes.
 */
import { uploadsOf } from "../../../packages/http-node/test/Setup.ts"
import type { Ask } from "../fuzz/Target.ts"
import {
  aSite,
  createLarge,
  createPortfolio,
  createSites,
  documentTypes,
  largest,
  mostLarge,
  powers,
  requirements,
  several,
  wide
} from "./Sizes.ts"

/** A request of one case. `prepare` makes what it is about, which is not measured. */
export interface Case {
  readonly operation: string
  readonly input: string
  /** Upper bounds: bytes of the answer and, on Postgres, bytes stored with indexes. */
  readonly answerBytes: number
  readonly storedBytes: number
  /** Line and body of the request. `size` scales the stored resources. */
  readonly prepare: (ask: Ask, size: Size) => Promise<readonly [line: string, body?: unknown]>
}

/** Numbers of resources that exist: in the long form, more than a page has. */
export interface Size {
  readonly sites: number
  readonly largeSites: number
}

const mebibyte = 1_048_576

const once =
  (line: string, body?: unknown): Case["prepare"] =>
  async () => [line, body]

const ofLargest =
  (body: unknown): Case["prepare"] =>
  async (ask) => {
    const [id] = await createLarge(ask, 1)
    return [`PUT /api/sites/${id}`, body]
  }

/** The answer of a list is as long as the stored resources. A page ends at 8 MiB, with the item that reaches them. */
const page = 9 * mebibyte

export const cases: ReadonlyArray<Case> = [
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
    prepare: ofLargest({})
  },
  {
    operation: "updateSite",
    input: "`null` for its attributes",
    answerBytes: 20_000,
    storedBytes: mebibyte,
    prepare: ofLargest({ attributes: null })
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
    operation: "createPortfolios",
    input: "100 smallest",
    answerBytes: 40_000,
    storedBytes: mebibyte,
    prepare: once(
      "POST /api/portfolios",
      several(100, () => ({ name: "a" }))
    )
  },
  {
    operation: "addSitesToPortfolio",
    input: "1,000 smallest sites",
    answerBytes: mebibyte,
    storedBytes: 8 * mebibyte,
    prepare: async (ask) => [
      `POST /api/portfolios/${await createPortfolio(ask)}/sites`,
      { siteIds: await createSites(ask, 1_000) }
    ]
  },
  {
    operation: "addSitesToPortfolio",
    input: "the largest sites",
    answerBytes: page,
    storedBytes: 24 * mebibyte,
    prepare: async (ask) => [
      `POST /api/portfolios/${await createPortfolio(ask)}/sites`,
      { siteIds: await createLarge(ask, mostLarge) }
    ]
  },
  {
    operation: "deletePortfolio",
    input: "with the stored sites",
    answerBytes: 0,
    storedBytes: 16 * mebibyte,
    prepare: async (ask, { sites }) => {
      const id = await createPortfolio(ask)
      await ask(`POST /api/portfolios/${id}/sites`, { siteIds: await createSites(ask, sites) })
      return [`DELETE /api/portfolios/${id}`]
    }
  },
  {
    operation: "issueUploadUrls",
    input: "20 smallest files",
    answerBytes: 40_000,
    storedBytes: 200_000,
    prepare: async (ask) => {
      const [id = ""] = await createSites(ask, 1)
      return ["POST /api/docs/bulk-upload-url", uploadsOf(id, ...several(20, () => "a"))]
    }
  },
  {
    operation: "replaceDocumentRequirements",
    input: "200 smallest",
    answerBytes: 60_000,
    storedBytes: 300_000,
    prepare: async (ask) => ["PUT /api/document-requirements", { requirements: await requirements(ask) }]
  },
  {
    operation: "listCoverage",
    input: "a page of sites with 10 requirements each",
    answerBytes: 4 * mebibyte,
    storedBytes: 100_000,
    prepare: async (ask, { sites }) => {
      await createSites(ask, sites)
      await ask("PUT /api/document-requirements", {
        requirements: documentTypes.map((documentType) => ({ documentType }))
      })
      return ["GET /api/coverage?limit=1000"]
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
    operation: "listEvents",
    input: "a page of changes of the largest sites",
    answerBytes: page,
    storedBytes: 100_000,
    prepare: async (ask, { largeSites }) => {
      await createLarge(ask, largeSites)
      return ["GET /api/events?limit=1000"]
    }
  },
  {
    operation: "createWebhook",
    input: "the largest",
    answerBytes: 20_000,
    storedBytes: 100_000,
    prepare: once("POST /api/webhooks", {
      url: `https://127.0.0.1:9/?${"a".repeat(2_000)}`,
      events: several(50, () => "*"),
      description: wide(500)
    })
  }
]
