import {
  CalendarDate,
  type Document,
  type DocumentConditions,
  DocumentRecord,
  ExternalId,
  ListDocuments,
  ListPortfolios,
  ListSites,
  makeUnchecked,
  OmRecordId,
  type PortfolioConditions,
  pageOfDocuments,
  pageOfPortfolios,
  pageOfSites,
  type SiteConditions
} from "@solar-sites/core"
import { aDocument, aPortfolio, aSite } from "@solar-sites/testing"
import { DateTime } from "effect"
import { describe, expect, it } from "vitest"

const everything = { after: null, limit: 100 }
const bytes = Number.POSITIVE_INFINITY
const at = (second: number) => DateTime.makeUnsafe(second * 1_000)
const rest = { updatedAt: at(1) }
const updatedAfter = at(2)
const updatedAt = at(3)

/** A value for every condition. The type keeps this list complete. */
type Values<Conditions> = { readonly [Member in keyof Conditions]-?: NonNullable<Conditions[Member]> }

/** Names of all conditions of a query, and conditions with one of them each. */
const oneByOne = <Conditions extends object>(fields: object, values: Values<Conditions>) => {
  const known = Object.keys(fields).filter((member) => !["sort", "order", "limit", "cursor"].includes(member))
  expect(Object.keys(values).toSorted()).toEqual(known.toSorted())
  // Each has one member of the values.
  return Object.entries(values).map(([member, value]) => ({ [member]: value }) as Partial<Conditions>)
}

describe("each condition of a list alone finds the record that meets it", () => {
  it("of sites", () => {
    const { id: portfolioId } = aPortfolio()
    const externalId = ExternalId.make("S-1")
    const others = { siteName: "Other than the Rest", unit: "MWp", tags: ["roof", "leased"] } as const
    const site = aSite({ portfolioId, externalId, ...others, updatedAt })
    const sites = [aSite(rest), site, aSite({ ...rest, tags: ["leased"], address: "The Rest" })]
    const all: Values<SiteConditions> = {
      siteId: site.id,
      portfolioId,
      q: "rest OTHER",
      unit: "MWp",
      externalId,
      tag: ["leased", "roof"],
      updatedAfter
    }
    for (const conditions of oneByOne<SiteConditions>(ListSites.fields, all)) {
      const { items } = pageOfSites(sites, conditions, everything, bytes)
      expect(items, `by ${Object.keys(conditions)}`).toEqual([site])
    }
  })

  it("of portfolios", () => {
    const externalId = ExternalId.make("P-1")
    const portfolio = aPortfolio({ externalId, name: "Other", updatedAt })
    const all: Values<PortfolioConditions> = { externalId, q: "p-1 oth", updatedAfter }
    for (const conditions of oneByOne<PortfolioConditions>(ListPortfolios.fields, all)) {
      const { items } = pageOfPortfolios([aPortfolio(rest), portfolio, aPortfolio(rest)], conditions, everything, bytes)
      expect(items, `by ${Object.keys(conditions)}`).toEqual([portfolio])
    }
  })

  it("of documents", () => {
    const [{ id: portfolioId }, { id: otherId }] = [aPortfolio(), aPortfolio()]
    const [omRecordId, type, documentType] = [OmRecordId.make("om-1"), "om-documents", "ppa"] as const
    const [validUntil, validUntilBefore] = [CalendarDate.make("2026-12-30"), CalendarDate.make("2026-12-31")]
    const members = { omRecordId, type, documentType, validUntil, note: "Signed twice", status: "approved" } as const
    const record = (overrides: Partial<Document>) =>
      makeUnchecked(DocumentRecord, {
        ...aDocument(overrides),
        declaredBytes: null,
        addressExpiresAt: DateTime.makeUnsafe(0),
        lookAt: null,
        refused: false,
        replacementRequests: 0,
        expiringAnnounced: null,
        expiredAnnounced: null
      })
    const document = record({ ...members, updatedAt })
    const documents = [
      record({ ...rest, status: "pending" }),
      document,
      record({ ...rest, status: "uploaded", replacedBy: document.id, validUntil: validUntilBefore }),
      record({ ...rest, status: "failed", note: "twice" })
    ]
    const { siteId, status } = document
    const own = { siteId, portfolioId, status, omRecordId, type, documentType, current: true } as const
    const all: Values<DocumentConditions> = { ...own, q: "twice sign", validUntilBefore, updatedAfter }
    for (const conditions of oneByOne<DocumentConditions>(ListDocuments.fields, all)) {
      const portfolioOf = (id: string) => (id === siteId ? portfolioId : otherId)
      const { items } = pageOfDocuments(documents, conditions, everything, bytes, portfolioOf)
      expect(
        items.map(({ id }) => id),
        `by ${Object.keys(conditions)}`
      ).toEqual([document.id])
    }
  })
})
