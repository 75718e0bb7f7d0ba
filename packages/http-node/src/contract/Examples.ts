/**
 * The values the API reference shows: one organisation with one portfolio and
 * one site, so that all examples fit together.
 *
 * @since 0.1.0
 */

const organisationId = "0197a3b0-7000-7000-8000-00000000000a"

/**
 * @category examples
 * @since 0.1.0
 */
export const examplePortfolio = {
  id: "0197a3b0-7000-7000-8000-00000000000b",
  organisationId,
  name: "North",
  siteCount: 1,
  capacityKw: 1200,
  createdAt: "2026-01-05T08:30:00.000Z",
  updatedAt: "2026-01-05T08:30:00.000Z",
  version: 1
}

/**
 * What a caller sends to make the example site.
 *
 * @category examples
 * @since 0.1.0
 */
export const exampleNewSite = {
  siteName: "Long Meadow",
  address: "Long Meadow Farm, LS1 4AB",
  capacity: 1.2,
  unit: "MW",
  latitude: 53.79648,
  longitude: -1.54785,
  portfolioId: examplePortfolio.id,
  siteManager: { name: "Ada Example", email: "ada@example.com" }
}

/**
 * @category examples
 * @since 0.1.0
 */
export const exampleSite = {
  id: "0197a3b0-7000-7000-8000-00000000000c",
  organisationId,
  ...exampleNewSite,
  siteManager: { name: "Ada Example", email: "ada@example.com", phone: null, company: null, userId: null },
  coverImageUrl: null,
  capacityKw: 1200,
  createdAt: "2026-01-05T08:31:00.000Z",
  updatedAt: "2026-01-05T08:31:00.000Z",
  version: 1
}

/**
 * @category examples
 * @since 0.1.0
 */
export const exampleMe = {
  organisation: { id: organisationId, name: "Example Energy", status: "active" },
  userId: null,
  apiKey: {
    id: "0197a3b0-7000-7000-8000-00000000000d",
    organisationId,
    name: "Nightly export",
    prefix: "sk_live_",
    createdBy: null,
    createdAt: "2026-01-05T08:29:00.000Z",
    expiresAt: "2027-01-05T08:29:00.000Z",
    lastUsedAt: null
  }
}
