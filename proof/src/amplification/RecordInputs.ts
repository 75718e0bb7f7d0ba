/**
 * Operations of sites and portfolios.
 */
import type { Ask } from "../fuzz/Target.ts"
import { after, type Case, casesOf, mebibyte, nothing, once, page, type Size } from "./Case.ts"
import {
  aSite,
  createDocuments,
  createLarge,
  createPortfolio,
  createSites,
  largest,
  mostLarge,
  powers,
  several,
  wide
} from "./Sizes.ts"

const [sites, site, bulk] = ["/api/sites", "/api/sites/{id}", "POST /api/sites/bulk"]

const createLargest = (ask: Ask) => createLarge(ask, 1)
const createStoredLarge = (ask: Ask, { largeSites }: Size) => createLarge(ask, largeSites)

const createPowers = async (ask: Ask): Promise<void> => {
  for (const _ of several(2, String)) await ask(bulk, { sites: several(50, () => ({ ...aSite, attributes: powers })) })
}

const createFilledSite = async (ask: Ask, { sites: count }: Size): Promise<string> => {
  const { documents, siteId } = await createDocuments(ask, count)
  if (documents.length < count) throw new Error("Too few documents.")
  return siteId
}

export const siteCases = casesOf({
  createSite: {
    "the largest site": [2 * mebibyte, 2 * mebibyte, once(`POST ${sites}`, largest)],
    "50 attributes of `1e300`": [40_000, 120_000, once(`POST ${sites}`, { ...aSite, attributes: powers })]
  },
  updateSite: {
    "`{}` to the largest site": [mebibyte / 2, 100_000, after(createLargest, `PUT ${site}`, {})],
    "`null` for its attributes": [20_000, mebibyte, after(createLargest, `PUT ${site}`, { attributes: null })]
  },
  bulkSites: {
    "1,000 smallest sites": [mebibyte, 8 * mebibyte, once(bulk, { sites: several(1_000, () => aSite) })],
    "8 MiB of the largest sites": [page, 24 * mebibyte, once(bulk, { sites: several(36, () => largest) })],
    "external ids of the largest sites": [
      page,
      100_000,
      after((ask) => createLarge(ask, mostLarge), bulk, {
        mode: "upsert",
        sites: several(mostLarge, (index) => ({ externalId: String(index) }))
      })
    ]
  },
  listSites: {
    "a page of the largest sites": [page, 100_000, after(createStoredLarge, `GET ${sites}?limit=1000`)],
    "a page of 50 attributes of `1e300`": [page, 100_000, after(createPowers, `GET ${sites}?limit=1000`)]
  },
  getSite: { "the largest": [mebibyte / 2, nothing, after(createLargest, `GET ${site}`)] },
  deleteSite: {
    "the largest": [0, 2 * mebibyte, after(createLargest, `DELETE ${site}`)],
    "with the stored documents": [0, 16 * mebibyte, after(createFilledSite, `DELETE ${site}`)]
  }
})

const [portfolios, portfolio] = ["/api/portfolios", "/api/portfolios/{id}"]

const largestPortfolio = (index: number) => ({ name: wide(200), externalId: `${index}${wide(190, index + 1)}` })

const createFilledPortfolio = async (ask: Ask, { sites: count }: Size): Promise<string> => {
  const id = await createPortfolio(ask)
  await ask(`POST ${portfolios}/${id}/sites`, { siteIds: await createSites(ask, count) })
  return id
}

const createLargestPortfolios = async (ask: Ask, { sites: count }: Size): Promise<void> => {
  for (let first = 0; first < count; first += 100)
    await ask(
      `POST ${portfolios}`,
      several(100, (index) => largestPortfolio(first + index))
    )
}

/** A request about sites of a new portfolio, which are in it or not. */
const ofSites =
  (
    method: string,
    isInside: boolean,
    create: (ask: Ask, size: Size, members: object) => Promise<unknown>
  ): Case["prepare"] =>
  async (ask, size) => {
    const portfolioId = await createPortfolio(ask)
    const siteIds = await create(ask, size, isInside ? { portfolioId } : {})
    return [`${method} ${portfolios}/${portfolioId}/sites`, { siteIds }]
  }

const createMostLarge = (ask: Ask, _: Size, members: object) => createLarge(ask, mostLarge, members)

export const portfolioCases = casesOf({
  createPortfolios: {
    "100 smallest": [
      40_000,
      mebibyte,
      once(
        `POST ${portfolios}`,
        several(100, () => ({ name: "a" }))
      )
    ],
    "100 largest": [mebibyte / 2, 2 * mebibyte, once(`POST ${portfolios}`, several(100, largestPortfolio))]
  },
  addSitesToPortfolio: {
    "1,000 smallest sites": [mebibyte, 8 * mebibyte, ofSites("POST", false, (ask) => createSites(ask, 1_000))],
    "the largest sites": [page, 24 * mebibyte, ofSites("POST", false, createMostLarge)]
  },
  deletePortfolio: { "with the stored sites": [0, 16 * mebibyte, after(createFilledPortfolio, `DELETE ${portfolio}`)] },
  updatePortfolio: {
    "the largest": [10_000, nothing, after(createPortfolio, `PUT ${portfolio}`, largestPortfolio(0))]
  },
  getPortfolio: { "with the stored sites": [10_000, nothing, after(createFilledPortfolio, `GET ${portfolio}`)] },
  listPortfolios: {
    "a page of the largest": [4 * mebibyte, nothing, after(createLargestPortfolios, `GET ${portfolios}?limit=1000`)]
  },
  listPortfoliosWithSites: {
    "the largest sites in one": [
      32 * mebibyte,
      nothing,
      after(
        async (ask, { largeSites }) => createLarge(ask, largeSites, { portfolioId: await createPortfolio(ask) }),
        `GET ${portfolios}/with-sites?limit=100`
      )
    ]
  },
  removeSitesFromPortfolio: {
    "the stored sites": [
      mebibyte,
      8 * mebibyte,
      ofSites("DELETE", true, (ask, { sites: count }, members) => createSites(ask, count, members))
    ],
    "the largest sites": [page, 24 * mebibyte, ofSites("DELETE", true, createMostLarge)]
  }
})
