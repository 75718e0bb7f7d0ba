/**
 * Generated calls of bulk requests, requirements, coverage, events and webhooks.
 */
import * as fc from "fast-check"
import { anId, marked, mostly, type NamedStep, parameters, some, step } from "./Parts.ts"
import { newSite, siteChange } from "./Resources.ts"

const day = mostly(fc.constantFrom("2026-06-01", "2026-12-31"), "2026-13-01")

const bulk = some(
  { sites: fc.array(fc.oneof(newSite, siteChange), { minLength: 1, maxLength: 3 }) },
  { mode: mostly(fc.constantFrom("create", "upsert"), "merge"), dryRun: mostly(fc.boolean(), "yes") }
)

const requirement = some(
  { documentType: mostly(fc.constantFrom("insurance", "ppa"), "passport") },
  {
    validityRequired: fc.boolean(),
    portfolioId: fc.oneof(anId("portfolios"), fc.constant(null)),
    expiringWithinDays: mostly(fc.constantFrom(1, 30, 365), 0)
  }
)

const url = mostly(
  fc.constantFrom("receiver", "other?token=secret").map((path) => ({ "@url": path })),
  "ftp://receiver.example/",
  "nowhere"
)
const events = mostly(fc.constantFrom(["*"], ["document.*", "site.updated"]), [], ["site.moved"])
const webhook = { url, events, description: marked("Ours"), enabled: fc.boolean() }

const onDelivery = [anId("webhooks"), anId("deliveries")]

export const companySteps: ReadonlyArray<NamedStep> = [
  step("getMe"),
  step("bulkSites", { body: bulk }),
  step("getDocumentRequirements"),
  step("replaceDocumentRequirements", {
    body: some({ requirements: fc.array(requirement, { maxLength: 3 }) }, { version: fc.constant(7) })
  }),
  step("listCoverage", {
    query: parameters({
      siteId: anId("sites"),
      portfolioId: anId("portfolios"),
      state: fc.constantFrom("missing", "valid", "pending", "expired"),
      documentType: fc.constant("insurance"),
      asOf: day
    })
  }),
  step("summariseCoverage", {
    query: fc.array(
      fc.oneof(fc.tuple(fc.constant("portfolioId"), anId("portfolios")), fc.tuple(fc.constant("asOf"), day)),
      {
        maxLength: 2
      }
    )
  }),
  step("listEvents", {
    query: fc.array(
      fc.oneof(
        fc.tuple(fc.constant("type"), fc.constantFrom("site.*", "document.uploaded", "site.created")),
        fc.tuple(fc.constant("siteId"), anId("sites")),
        fc.tuple(fc.constant("subjectId"), fc.oneof(anId("documents"), anId("portfolios"))),
        fc.tuple(fc.constant("order"), fc.constantFrom("asc", "desc"))
      ),
      { maxLength: 2 }
    )
  }),
  step("listWebhooks", { query: parameters({}) }),
  step("createWebhook", { body: some({ url, events }, webhook) }),
  step("getWebhook", { ids: [anId("webhooks")] }),
  step("updateWebhook", { ids: [anId("webhooks")], body: some({}, webhook) }),
  step("deleteWebhook", { ids: [anId("webhooks", 4)] }),
  step("rotateWebhookSecret", { ids: [anId("webhooks")] }),
  step("testWebhook", { ids: [anId("webhooks")] }),
  step("listWebhookDeliveries", { ids: [anId("webhooks")], query: parameters({}) }),
  step("retryWebhookDelivery", { ids: onDelivery })
]
