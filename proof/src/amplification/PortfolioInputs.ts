/**
 * Operations of portfolios.
 */
import type { Ask } from "../fuzz/Target.ts"
import { type Case, caseOf, mebibyte, nothing, once, page } from "./Case.ts"
import { createLarge, createPortfolio, createSites, mostLarge, several, wide } from "./Sizes.ts"

const largestPortfolio = (index: number) => ({ name: wide(200), externalId: `${index}${wide(190, index + 1)}` })

const createFilledPortfolio = async (ask: Ask, sites: number): Promise<string> => {
  const id = await createPortfolio(ask)
  await ask(`POST /api/portfolios/${id}/sites`, { siteIds: await createSites(ask, sites) })
  return id
}

export const portfolioCases: ReadonlyArray<Case> = [
  caseOf(
    "createPortfolios",
    "100 smallest",
    { answer: 40_000, stored: mebibyte },
    once(
      "POST /api/portfolios",
      several(100, () => ({ name: "a" }))
    )
  ),
  caseOf("addSitesToPortfolio", "1,000 smallest sites", { answer: mebibyte, stored: 8 * mebibyte }, async (ask) => [
    `POST /api/portfolios/${await createPortfolio(ask)}/sites`,
    { siteIds: await createSites(ask, 1_000) }
  ]),
  caseOf("addSitesToPortfolio", "the largest sites", { answer: page, stored: 24 * mebibyte }, async (ask) => [
    `POST /api/portfolios/${await createPortfolio(ask)}/sites`,
    { siteIds: await createLarge(ask, mostLarge) }
  ]),
  caseOf("deletePortfolio", "with the stored sites", { answer: 0, stored: 16 * mebibyte }, async (ask, { sites }) => {
    return [`DELETE /api/portfolios/${await createFilledPortfolio(ask, sites)}`]
  }),
  caseOf(
    "createPortfolios",
    "100 largest",
    { answer: mebibyte / 2, stored: 2 * mebibyte },
    once("POST /api/portfolios", several(100, largestPortfolio))
  ),
  caseOf("updatePortfolio", "the largest", { answer: 10_000, stored: nothing }, async (ask) => [
    `PUT /api/portfolios/${await createPortfolio(ask)}`,
    largestPortfolio(0)
  ]),
  caseOf("getPortfolio", "with the stored sites", { answer: 10_000, stored: nothing }, async (ask, { sites }) => [
    `GET /api/portfolios/${await createFilledPortfolio(ask, sites)}`
  ]),
  caseOf(
    "listPortfolios",
    "a page of the largest",
    { answer: 4 * mebibyte, stored: nothing },
    async (ask, { sites }) => {
      for (let first = 0; first < sites; first += 100)
        await ask(
          "POST /api/portfolios",
          several(100, (index) => largestPortfolio(first + index))
        )
      return ["GET /api/portfolios?limit=1000"]
    }
  ),
  caseOf(
    "listPortfoliosWithSites",
    "the largest sites in one",
    { answer: 32 * mebibyte, stored: nothing },
    async (ask, { largeSites }) => {
      await createLarge(ask, largeSites, { portfolioId: await createPortfolio(ask) })
      return ["GET /api/portfolios/with-sites?limit=100"]
    }
  ),
  caseOf(
    "removeSitesFromPortfolio",
    "the stored sites",
    { answer: mebibyte, stored: 8 * mebibyte },
    async (ask, { sites }) => {
      const portfolioId = await createPortfolio(ask)
      const siteIds = await createSites(ask, sites)
      await ask(`POST /api/portfolios/${portfolioId}/sites`, { siteIds })
      return [`DELETE /api/portfolios/${portfolioId}/sites`, { siteIds }]
    }
  ),
  caseOf("removeSitesFromPortfolio", "the largest sites", { answer: page, stored: 24 * mebibyte }, async (ask) => {
    const portfolioId = await createPortfolio(ask)
    return [
      `DELETE /api/portfolios/${portfolioId}/sites`,
      { siteIds: await createLarge(ask, mostLarge, { portfolioId }) }
    ]
  })
]
