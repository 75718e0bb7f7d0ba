/**
 * Operations of sites and portfolios.
 */
import type { Ask } from "../fuzz/Target.ts"
import { after, type Case, casesOf, mebibyte, once, page, type Size } from "./Case.ts"
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
    "the largest site": [2 * mebibyte, once(`POST ${sites}`, largest), 2 * mebibyte],
    "50 attributes of `1e300`": [40_000, once(`POST ${sites}`, { ...aSite, attributes: powers }), 120_000]
  },
  updateSite: {
    "`{}` to the largest site": [mebibyte / 2, after(createLargest, `PUT ${site}`, {}), 100_000],
    "`null` for its attributes": [20_000, after(createLargest, `PUT ${site}`, { attributes: null }), mebibyte]
  },
  bulkSites: {
    "1,000 smallest sites": [mebibyte, once(bulk, { sites: several(1_000, () => aSite) }), 8 * mebibyte],
    "8 MiB of the largest sites": [page, once(bulk, { sites: several(36, () => largest) }), 24 * mebibyte],
    "external ids of the largest sites": [
      page,
      after((ask) => createLarge(ask, mostLarge), bulk, {
        mode: "upsert",
        sites: several(mostLarge, (index) => ({ externalId: String(index) }))
      }),
      100_000
    ]
  },
  listSites: {
    "a page of the largest sites": [page, after(createStoredLarge, `GET ${sites}?limit=1000`), 100_000],
    "a page of 50 attributes of `1e300`": [page, after(createPowers, `GET ${sites}?limit=1000`), 100_000]
  },
  getSite: { "the largest": [mebibyte / 2, after(createLargest, `GET ${site}`)] },
  deleteSite: {
    "the largest": [0, after(createLargest, `DELETE ${site}`), 2 * mebibyte],
    "with the stored documents": [0, after(createFilledSite, `DELETE ${site}`), 16 * mebibyte]
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
  for (let first = 0; first < count; first += 100) {
    const all = several(100, (index) => largestPortfolio(first + index))
    await ask(`POST ${portfolios}`, all)
  }
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

const smallestPortfolios = several(100, () => ({ name: "a" }))

const createMostLarge = (ask: Ask, _: Size, members: object) => createLarge(ask, mostLarge, members)

export const portfolioCases = casesOf({
  createPortfolios: {
    "100 smallest": [40_000, once(`POST ${portfolios}`, smallestPortfolios), mebibyte],
    "100 largest": [mebibyte / 2, once(`POST ${portfolios}`, several(100, largestPortfolio)), 2 * mebibyte]
  },
  addSitesToPortfolio: {
    "1,000 smallest sites": [mebibyte, ofSites("POST", false, (ask) => createSites(ask, 1_000)), 8 * mebibyte],
    "the largest sites": [page, ofSites("POST", false, createMostLarge), 24 * mebibyte]
  },
  deletePortfolio: { "with the stored sites": [0, after(createFilledPortfolio, `DELETE ${portfolio}`), 16 * mebibyte] },
  updatePortfolio: {
    "the largest": [10_000, after(createPortfolio, `PUT ${portfolio}`, largestPortfolio(0))]
  },
  getPortfolio: { "with the stored sites": [10_000, after(createFilledPortfolio, `GET ${portfolio}`)] },
  listPortfolios: {
    "a page of the largest": [4 * mebibyte, after(createLargestPortfolios, `GET ${portfolios}?limit=1000`)]
  },
  listPortfoliosWithSites: {
    "the largest sites in one": [
      32 * mebibyte,
      after(
        async (ask, { largeSites }) => createLarge(ask, largeSites, { portfolioId: await createPortfolio(ask) }),
        `GET ${portfolios}/with-sites?limit=100`
      )
    ]
  },
  removeSitesFromPortfolio: {
    "the stored sites": [
      mebibyte,
      ofSites("DELETE", true, (ask, { sites: count }, members) => createSites(ask, count, members)),
      8 * mebibyte
    ],
    "the largest sites": [page, ofSites("DELETE", true, createMostLarge), 24 * mebibyte]
  }
})
