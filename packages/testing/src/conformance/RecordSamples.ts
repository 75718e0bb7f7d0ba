/**
 * Samples of every kind of record. `recordsConformance` makes its cases for a kind of the declaration of the
 * kind and of its entry here.
 */
import {
  type AnyKind,
  apiKeyKind,
  CalendarDate,
  DocumentId,
  DocumentRecord,
  documentKind,
  ExternalId,
  FileRecord,
  fileKind,
  makeUnchecked,
  OmRecordId,
  Portfolio,
  PortfolioId,
  portfolioKind,
  type RecordKind,
  Site,
  SiteId,
  siteKind,
  storageKey,
  UserId,
  webhookDeliveryKind,
  webhookKind
} from "@solar-sites/core"
import { DateTime } from "effect"
import { aDocument, anId, aPortfolio, aSite } from "../fixtures.ts"
import { apiKey, delivery, webhook } from "./AccessSamples.ts"
import { farFuture } from "./DocumentSetup.ts"
import type { Owner, RecordSample } from "./RecordOwner.ts"
import { changedAgainAt, changedAt } from "./Setup.ts"

/** The samples of a kind. */
export interface KindSample {
  readonly kind: AnyKind
  readonly full: (owner: Owner, id: string) => object
  readonly plain: (owner: Owner, id: string) => object
  readonly fixed: ReadonlyArray<string>
  readonly together: ReadonlyArray<ReadonlyArray<string>>
  readonly texts: ReadonlyArray<string>
}

const samplesOf = <R extends { readonly id: string }>(
  kind: RecordKind<R>,
  { fixed = [], together = [], texts = [], ...records }: RecordSample<R>
): KindSample => ({ kind, fixed, together, texts, ...records })

// Cases store up to 10,000 records, so these are validated once, and ids are not.
const plainSite = aSite()
const unchecked = { disableChecks: true } as const
const asSiteId = (id: string) => SiteId.make(id, unchecked)
const asDocumentId = (id: string) => DocumentId.make(id, unchecked)

const fullSite = aSite({
  siteName: "Höhenfeld",
  capacity: 1.25,
  unit: "MW",
  address: "1 Field Lane\nYork",
  latitude: 53.12345678901234,
  longitude: -0.0000001,
  siteManager: { name: "Ann", email: "ann@example.com", phone: "+44 1", company: "Sunfield", userId: "user-1" },
  coverImageUrl: "https://example.com/cover.png",
  updatedAt: changedAt,
  version: 2_000_000_000,
  tags: ["roof", "Ébène"],
  attributes: { zone: "B", a: 0.1, isOn: false }
})

const site: RecordSample<Site> = {
  full: ({ organisationId, portfolioId }, id) => {
    const externalId = ExternalId.make(`External ${id}`, unchecked)
    return makeUnchecked(Site, { ...fullSite, id: asSiteId(id), organisationId, portfolioId, externalId })
  },
  plain: ({ organisationId }, id) => makeUnchecked(Site, { ...plainSite, id: asSiteId(id), organisationId }),
  together: [["capacity", "unit", "capacityKw"]],
  texts: ["siteName", "address"]
}

const fullPortfolio = aPortfolio({ name: "Süd", updatedAt: changedAt, version: 2_000_000_000 })
const plainPortfolio = aPortfolio()

const portfolio: RecordSample<Portfolio> = {
  full: ({ organisationId }, id) =>
    makeUnchecked(Portfolio, {
      ...fullPortfolio,
      id: PortfolioId.make(id, unchecked),
      organisationId,
      externalId: ExternalId.make(`External ${id}`, unchecked)
    }),
  plain: ({ organisationId }, id) =>
    makeUnchecked(Portfolio, { ...plainPortfolio, id: PortfolioId.make(id, unchecked), organisationId }),
  texts: ["name"]
}

const fullDocument = {
  ...aDocument({
    type: "om-documents",
    documentType: "insurance",
    filename: "Übergabe.pdf",
    status: "pending",
    mimeType: "image/png",
    sizeBytes: Number.MAX_SAFE_INTEGER,
    uploadedBy: UserId.make("user-1"),
    omRecordId: OmRecordId.make("record-1"),
    failureReason: "a reason",
    updatedAt: changedAt,
    version: 2_000_000_000,
    note: "First line\nsecond line",
    validFrom: CalendarDate.make("2026-02-28"),
    validUntil: CalendarDate.make("9999-12-31"),
    replaces: asDocumentId(anId()),
    replacedBy: asDocumentId(anId())
  }),
  declaredBytes: 1_024,
  addressExpiresAt: farFuture,
  lookAt: DateTime.add(farFuture, { milliseconds: 1 }),
  refused: false,
  replacementRequests: 2_147_483_647,
  expiringAnnounced: CalendarDate.make("9999-12-31"),
  expiredAnnounced: CalendarDate.make("2026-02-28")
}

const plainDocument = {
  ...aDocument({ status: "failed", sizeBytes: null }),
  declaredBytes: null,
  addressExpiresAt: changedAgainAt,
  lookAt: null,
  refused: true,
  replacementRequests: 0,
  expiringAnnounced: null,
  expiredAnnounced: null
}

const idsOf = ({ organisationId, siteId }: Owner, given: string) => {
  const id = asDocumentId(given)
  return { id, organisationId, siteId, path: storageKey({ organisationId, siteId, documentId: id }) }
}

const document: RecordSample<DocumentRecord> = {
  full: (owner, id) => makeUnchecked(DocumentRecord, { ...fullDocument, ...idsOf(owner, id) }),
  plain: (owner, id) => makeUnchecked(DocumentRecord, { ...plainDocument, ...idsOf(owner, id) }),
  fixed: ["siteId", "path"],
  together: [["status", "lookAt", "refused"]],
  texts: ["filename", "note", "failureReason"]
}

const file: RecordSample<FileRecord> = {
  full: ({ organisationId, siteId }, id) =>
    makeUnchecked(FileRecord, {
      id: asDocumentId(id),
      organisationId,
      siteId,
      addressExpiresAt: farFuture,
      dueAt: DateTime.add(farFuture, { milliseconds: 1 }),
      claimedUntil: DateTime.add(farFuture, { milliseconds: 2 })
    }),
  plain: ({ organisationId, siteId }, id) =>
    makeUnchecked(FileRecord, {
      id: asDocumentId(id),
      organisationId,
      siteId,
      addressExpiresAt: changedAgainAt,
      dueAt: null,
      claimedUntil: null
    }),
  fixed: ["siteId"]
}

/** One entry per kind of record that rules write. */
export const recordSamples: ReadonlyArray<KindSample> = [
  samplesOf(portfolioKind, portfolio),
  samplesOf(siteKind, site),
  samplesOf(documentKind, document),
  samplesOf(fileKind, file),
  samplesOf(apiKeyKind, apiKey),
  samplesOf(webhookKind, webhook),
  samplesOf(webhookDeliveryKind, delivery)
]
