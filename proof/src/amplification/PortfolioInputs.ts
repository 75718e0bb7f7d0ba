/**
 * Operations of portfolios.
 */
import type { Ask } from "../fuzz/Target.ts"
import { type Case, mebibyte, nothing, once, page } from "./Case.ts"
import { createLarge, createPortfolio, createSites, mostLarge, several, wide } from "./Sizes.ts"

const largestPortfolio = (index: number) => ({ name: wide(200), externalId: `${index}${wide(190, index + 1)}` })

const createFilledPortfolio = async (ask: Ask, sites: number): Promise<string> => {
  const id = await createPortfolio(ask)
  await ask(`POST /api/portfolios/${id}/sites`, { siteIds: await createSites(ask, sites) })
  return id
}

export const portfolioCases: ReadonlyArray<Case> = [
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
      return [`DELETE /api/portfolios/${await createFilledPortfolio(ask, sites)}`]
    }
  },
  {
    operation: "createPortfolios",
    input: "100 largest",
    answerBytes: mebibyte / 2,
    storedBytes: 2 * mebibyte,
    prepare: once("POST /api/portfolios", several(100, largestPortfolio))
  },
  {
    operation: "updatePortfolio",
    input: "the largest",
    answerBytes: 10_000,
    storedBytes: nothing,
    prepare: async (ask) => [`PUT /api/portfolios/${await createPortfolio(ask)}`, largestPortfolio(0)]
  },
  {
    operation: "getPortfolio",
    input: "with the stored sites",
    answerBytes: 10_000,
    storedBytes: nothing,
    prepare: async (ask, { sites }) => [`GET /api/portfolios/${await createFilledPortfolio(ask, sites)}`]
  },
  {
    operation: "listPortfolios",
    input: "a page of the largest",
    answerBytes: 4 * mebibyte,
    storedBytes: nothing,
    prepare: async (ask, { sites }) => {
      for (let first = 0; first < sites; first += 100)
        await ask(
          "POST /api/portfolios",
          several(100, (index) => largestPortfolio(first + index))
        )
      return ["GET /api/portfolios?limit=1000"]
    }
  },
  {
    operation: "listPortfoliosWithSites",
    input: "the largest sites in one",
    answerBytes: 32 * mebibyte,
    storedBytes: nothing,
    prepare: async (ask, { largeSites }) => {
      await createLarge(ask, largeSites, { portfolioId: await createPortfolio(ask) })
      return ["GET /api/portfolios/with-sites?limit=100"]
    }
  },
  {
    operation: "removeSitesFromPortfolio",
    input: "the stored sites",
    answerBytes: mebibyte,
    storedBytes: 8 * mebibyte,
    prepare: async (ask, { sites }) => {
      const portfolioId = await createPortfolio(ask)
      const siteIds = await createSites(ask, sites)
      await ask(`POST /api/portfolios/${portfolioId}/sites`, { siteIds })
      return [`DELETE /api/portfolios/${portfolioId}/sites`, { siteIds }]
    }
  },
  {
    operation: "removeSitesFromPortfolio",
    input: "the largest sites",
    answerBytes: page,
    storedBytes: 24 * mebibyte,
    prepare: async (ask) => {
      const portfolioId = await createPortfolio(ask)
      return [
        `DELETE /api/portfolios/${portfolioId}/sites`,
        { siteIds: await createLarge(ask, mostLarge, { portfolioId }) }
      ]
    }
  }
]
