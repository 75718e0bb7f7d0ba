/**
 * Owners of sample records, and what samples are.
 */
import { type OrganisationId, PortfolioId, SiteId, WebhookId, WebhookSigning, webhookRecords } from "@solar-sites/core"
import { Effect } from "effect"
import { aWebhook } from "../fixtures.ts"
import { portfolioMethods, siteMethods } from "./Methods.ts"
import { changedAt, insertOrganisation, insertPortfolio, insertSite, type RecordPorts } from "./Setup.ts"

/** An organisation with one record of each kind that others refer to. */
export interface Owner {
  readonly organisationId: OrganisationId
  readonly portfolioId: PortfolioId
  readonly siteId: SiteId
  readonly webhookId: WebhookId
}

export const sampleSecret = WebhookSigning.fromText("whsec_c2FtcGxl")

/** Inserts a webhook that is sent nothing. */
const insertWebhook = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const { insert } = yield* webhookRecords
  const { webhook } = yield* insert(organisationId, aWebhook({ enabled: false }), sampleSecret)
  return webhook.id
})

/** Inserts an organisation with the records that samples refer to. */
export const insertOwner = Effect.gen(function* () {
  const organisationId = yield* insertOrganisation()
  const { id: portfolioId } = yield* insertPortfolio(organisationId)
  const { id: siteId } = yield* insertSite(organisationId)
  const webhookId = yield* insertWebhook(organisationId)
  return { organisationId, portfolioId, siteId, webhookId } satisfies Owner
})

interface Parent {
  /** Stores a record and returns its id. */
  readonly store: (organisationId: OrganisationId) => Effect.Effect<string, unknown, RecordPorts>
  readonly remove: (organisationId: OrganisationId, id: string) => Effect.Effect<unknown, unknown, RecordPorts>
}

/** The kinds that members of samples refer to, apart from the organisation. */
export const parents: Readonly<Record<string, Parent>> = {
  portfolio: {
    store: (organisationId) => Effect.map(insertPortfolio(organisationId), ({ id }) => id),
    remove: (organisationId, id) =>
      Effect.flatMap(portfolioMethods, (portfolios) =>
        portfolios.delete(organisationId, PortfolioId.make(id), { at: changedAt })
      )
  },
  site: {
    store: (organisationId) => Effect.map(insertSite(organisationId), ({ id }) => id),
    remove: (organisationId, id) =>
      Effect.flatMap(siteMethods, (sites) => sites.delete(organisationId, SiteId.make(id)))
  },
  webhook: {
    store: insertWebhook,
    remove: (organisationId, id) =>
      Effect.flatMap(webhookRecords, (all) => all.delete(organisationId, WebhookId.make(id), { at: changedAt }))
  }
}

/**
 * Two records of a kind that differ in every member, with different values of unique members for different ids.
 * `full` has all optional members, `plain` has none. When the kind has a bound, one of them holds in it.
 */
export interface RecordSample<R = object> {
  readonly full: (owner: Owner, id: string) => R
  readonly plain: (owner: Owner, id: string) => R
  /** Members that no change sets, beside the id, the organisation, the creation and computed members. */
  readonly fixed?: ReadonlyArray<keyof R & string>
  /** Members that one write changes together. */
  readonly together?: ReadonlyArray<ReadonlyArray<keyof R & string>>
  /** Members that take any text of up to 100 characters. */
  readonly texts?: ReadonlyArray<keyof R & string>
}
