import type { ApiScope } from "@solar-sites/core"
import { SolarSitesHarness } from "@solar-sites/testing"

export const newSite = { siteName: "Long Meadow", capacity: 1.2, unit: "MWp" } as const
export const file = { filename: "plan.txt", mimeType: "text/plain" }

/** A harness with a site in a portfolio, two documents and a webhook, all made by a caller with all scopes. */
export const makeScene = async () => {
  const harness = await SolarSitesHarness.make()
  const owner = await harness.createOrganisation("Sunfield Energy")
  const { documents, portfolios, sites, webhooks } = harness.solarSites.as(owner.caller)
  const portfolio = await portfolios.create({ name: "South" })
  const site = await sites.create({ ...newSite, portfolioId: portfolio.id })
  const files = [file, file]
  const { results } = await documents.issueUploads({ siteId: site.id, fileType: "documents", files })
  const [pending, uploaded] = results
  if (pending?.success !== true || uploaded?.success !== true) throw new Error("no address was issued")
  await harness.upload(uploaded.uploadUrl, new TextEncoder().encode("as built"))
  const webhook = await webhooks.create({ url: "https://receiver.example/", events: ["*"] })
  const delivery = await webhooks.test(webhook.id)
  const ids = {
    site: site.id,
    portfolio: portfolio.id,
    pending: pending.documentId,
    uploaded: uploaded.documentId,
    webhook: webhook.id,
    delivery: delivery.id
  }
  const keyWith = async (scopes: ReadonlyArray<ApiScope>) =>
    (await harness.solarSites.as(owner.caller).apiKeys.create({ name: "scoped", scopes })).secret
  return { harness, owner, ids, keyWith }
}

type Scene = Awaited<ReturnType<typeof makeScene>>
export type Ids = Scene["ids"]
