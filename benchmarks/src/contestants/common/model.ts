/**
 * The records that every contestant stores and returns, in the order of their JSON members. The
 * contestants add the later members of a site themselves.
 */

export interface SiteManager {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly company: string | null
  readonly userId: string | null
}

/** Members of a site that a caller can set. */
export interface SiteMembers {
  readonly siteName: string
  readonly capacity: number
  readonly unit: Unit
  readonly address: string | null
  readonly latitude: number | null
  readonly longitude: number | null
  readonly portfolioId: string | null
  readonly siteManager: SiteManager | null
  readonly coverImageUrl: string | null
}

/** Members of a site that the server sets. */
export interface SiteRecord {
  readonly id: string
  readonly organisationId: string
  readonly capacityKw: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

export type Site<Members extends SiteMembers = SiteMembers> = SiteRecord & Members

export interface Portfolio {
  readonly id: string
  readonly organisationId: string
  readonly name: string
  readonly siteCount: number
  readonly capacityKw: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
  readonly externalId: string | null
}

export interface PortfolioWithSites<Members extends SiteMembers = SiteMembers> extends Portfolio {
  readonly sites: ReadonlyArray<Site<Members>>
}

/** Scopes of a key without a list of them. */
export const allScopes: ReadonlyArray<string> = [
  ...["sites:read", "sites:write", "portfolios:read", "portfolios:write"],
  ...["documents:read", "documents:write", "documents:approve", "events:read"],
  ...["webhooks:read", "webhooks:write", "requirements:read", "requirements:write"]
]

/** Body of `GET /api/me`. */
export interface Me {
  readonly organisation: { readonly id: string; readonly name: string; readonly status: string }
  readonly userId: string | null
  readonly apiKey: {
    readonly id: string
    readonly organisationId: string
    readonly name: string
    readonly prefix: string
    readonly createdBy: string | null
    readonly createdAt: Date
    readonly expiresAt: Date
    readonly lastUsedAt: Date | null
    readonly scopes: ReadonlyArray<string>
    readonly portfolioIds: ReadonlyArray<string> | null
  }
  readonly scopes: ReadonlyArray<string>
  readonly portfolioIds: ReadonlyArray<string> | null
}

/** A pending document, as it is stored with its upload address. */
export interface NewDocument {
  readonly id: string
  readonly type: string
  readonly documentType: string | null
  readonly filename: string
  readonly mimeType: string
  readonly sizeBytes: number | null
  readonly omRecordId: string | null
}

/** Kilowatts of one unit, as the table stores them. */
export const kilowattsPerUnit = {
  W: "0.001",
  kW: "1",
  MW: "1000",
  GW: "1000000",
  Wp: "0.001",
  kWp: "1",
  MWp: "1000",
  GWp: "1000000"
} as const
export type Unit = keyof typeof kilowattsPerUnit

export const units = ["W", "kW", "MW", "GW", "Wp", "kWp", "MWp", "GWp"] as const satisfies ReadonlyArray<Unit>

/**
 * A site as a driver returns it: decimals as text, the members of the manager in the order of
 * `jsonb`.
 */
export type SiteRow<Members extends SiteMembers = SiteMembers> = Omit<Site<Members>, "capacity" | "capacityKw"> & {
  readonly capacity: string | number
  readonly capacityKw: string | number
}

/** Members in the order of the JSON. */
export const managerOf = (stored: SiteManager | null): SiteManager | null =>
  stored && {
    name: stored.name,
    email: stored.email,
    phone: stored.phone,
    company: stored.company,
    userId: stored.userId
  }
