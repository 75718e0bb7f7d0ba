/**
 * The organisation of the user: name, settings, use and totals.
 */
import type { Document } from "@solar-sites/http-node/client"
import { exchange } from "./exchange.ts"

export interface OrganisationSettings {
  readonly name: string
  readonly requireSecondFactor: boolean
}

/** Counts above 1,000,000 are 1,000,001. */
export interface OrganisationUse {
  readonly sites: number
  readonly portfolios: number
  readonly documents: number
  /** Number of documents in `bytes`: all, or the first 100,000. */
  readonly measuredDocuments: number
  readonly bytes: number
  /** Live ones. */
  readonly apiKeys: number
  readonly webhooks: number
  readonly users: number
  readonly limits: { readonly apiKeys: number; readonly webhooks: number; readonly requirements: number }
}

interface Totals {
  readonly siteCount: number
  readonly capacityKw: number
}

/** `portfolios` are the largest ones; `otherPortfolios` is the number of the others with sites. */
export interface OrganisationOverview extends Totals {
  readonly portfolios: ReadonlyArray<Totals & { readonly id: string; readonly name: string }>
  readonly otherPortfolios: number
  readonly withoutPortfolio: Totals
  /** All, or the newest 100,000. */
  readonly documents: Readonly<Record<Document["status"], number>>
  readonly requirements: number
  /** Live ones. */
  readonly apiKeys: number
  readonly users: number
}

const path = "/console/organisation"

export const getOrganisation = () => exchange<OrganisationSettings>({ method: "GET", path })
export const requireSecondFactor = (required: boolean) =>
  exchange<OrganisationSettings>({ method: "PUT", path, body: { requireSecondFactor: required } })
export const renameOrganisation = (name: string) =>
  exchange<OrganisationSettings>({ method: "PUT", path: `${path}/name`, body: { name } })
export const getUse = () => exchange<OrganisationUse>({ method: "GET", path: `${path}/use` })
export const getOverview = () => exchange<OrganisationOverview>({ method: "GET", path: `${path}/overview` })
