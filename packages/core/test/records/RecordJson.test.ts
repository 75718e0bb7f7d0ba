import {
  type AnyKind,
  ApiKeyRecord,
  CalendarDate,
  DocumentRecord,
  FileRecord,
  makeUnchecked,
  OrganisationId,
  RequirementListRecord,
  recordJson,
  requirementRecords,
  storageKey,
  WebhookDeliveryRecord,
  WebhookRecord,
  WebhookSigning,
  writtenKinds
} from "@solar-sites/core"
import {
  aDocument,
  anApiKey,
  anApiKeyDigest,
  aPortfolio,
  aRequirement,
  aSite,
  aWebhook,
  aWebhookDelivery
} from "@solar-sites/testing"
import { DateTime, Equal, Redacted } from "effect"
import { expect, it } from "vitest"

const organisationId = OrganisationId.make("01a21fc5-5fee-7347-96c7-8d18b2f6be48")
const at = DateTime.makeUnsafe("2026-03-29T01:59:59.987Z")
const until = DateTime.makeUnsafe("2026-03-30T01:59:59.001Z")
const site = aSite({
  organisationId,
  // Not in the normal form of inputs.
  siteName: " Ho\u0308henfeld\u{1F31E}",
  longitude: -0.0000001,
  siteManager: { name: "Ann", email: null, phone: null, company: null, userId: "user-1" },
  tags: ["roof", "Ébène"],
  attributes: { zone: "B", a: 0.1, isOn: false }
})
const document = aDocument({ organisationId, siteId: site.id, note: "First line\nsecond line" })
const { apiKey, digest } = { apiKey: anApiKey({ organisationId }), digest: anApiKeyDigest() }
const { id: documentId } = document
const secret = WebhookSigning.fromText("whsec_a")

const webhook = makeUnchecked(WebhookRecord, {
  ...aWebhook(),
  lastDelivery: null,
  organisationId,
  secrets: [{ secret, until }],
  dispatchedSequence: 12,
  failingSince: at,
  claimedAt: null
})

const records: Readonly<Record<string, object>> = {
  portfolio: aPortfolio({ organisationId }),
  site,
  requirement_list: new RequirementListRecord({ id: organisationId, version: 3, updatedAt: at }),
  requirement: requirementRecords(organisationId, [aRequirement()])[0] ?? {},
  document: makeUnchecked(DocumentRecord, {
    ...document,
    path: storageKey({ organisationId, siteId: site.id, documentId }),
    declaredBytes: Number.MAX_SAFE_INTEGER,
    addressExpiresAt: at,
    lookAt: null,
    refused: true,
    replacementRequests: 1,
    expiringAnnounced: CalendarDate.make("2026-12-31"),
    expiredAnnounced: null
  }),
  file: new FileRecord({
    id: documentId,
    organisationId,
    siteId: site.id,
    addressExpiresAt: at,
    dueAt: until,
    claimedUntil: null
  }),
  api_key: makeUnchecked(ApiKeyRecord, { ...apiKey, digest, issuedUntil: until }),
  webhook,
  webhook_delivery: makeUnchecked(WebhookDeliveryRecord, {
    ...aWebhookDelivery({ nextAttemptAt: until }),
    organisationId,
    webhookId: webhook.id,
    eventSequence: 3,
    createdAt: at,
    claimedUntil: null
  })
}

const membersOf = ({ members }: AnyKind): ReadonlyArray<string> =>
  "fields" in members ? Object.keys(members.fields as object) : []

for (const kind of writtenKinds) {
  it(`the JSON of a ${kind.name} has all its members`, () => {
    const record = records[kind.name] ?? {}
    const { decode, encode } = recordJson(kind)
    const json = encode(record)
    expect(Object.keys(JSON.parse(json)).sort()).toStrictEqual([...membersOf(kind)].sort())
    const decoded = decode(json)
    expect(Object.getPrototypeOf(decoded)).toBe(Object.getPrototypeOf(record))
    expect(encode(decoded)).toBe(json)
    const differing = membersOf(kind).filter(
      (member) => member !== "secrets" && !Equal.equals(Reflect.get(decoded, member), Reflect.get(record, member))
    )
    expect(differing).toStrictEqual([])
  })
}

it("the JSON of a webhook has its secrets", () => {
  const { decode, encode } = recordJson({ members: WebhookRecord })
  const decoded = decode(encode(webhook))
  const secrets = decoded instanceof WebhookRecord ? decoded.secrets : []
  expect(secrets.map((one) => Redacted.value(one.secret))).toStrictEqual(["whsec_a"])
})
