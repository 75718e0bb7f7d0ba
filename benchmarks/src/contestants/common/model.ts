/**
 * What every contestant keeps and answers, in the order of the members on the
 * wire.
 */

export interface SiteManager {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly company: string | null
  readonly userId: string | null
}

/** What a caller can set of a site. */
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

export interface Site extends SiteMembers {
  readonly id: string
  readonly organisationId: string
  readonly capacityKw: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

export interface Portfolio {
  readonly id: string
  readonly organisationId: string
  readonly name: string
  readonly siteCount: number
  readonly capacityKw: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

export interface PortfolioWithSites extends Portfolio {
  readonly sites: ReadonlyArray<Site>
}

/** What a caller learns about itself. */
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
  }
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

/** How many kilowatts one unit is, as the table keeps it. */
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

/** A site as a driver that knows no better hands it over: decimals as text, the manager as its column sorts it. */
export type SiteRow = Omit<Site, "capacity" | "capacityKw"> & {
  readonly capacity: string | number
  readonly capacityKw: string | number
}

const managerOf = (stored: SiteManager | null): SiteManager | null =>
  stored && {
    name: stored.name,
    email: stored.email,
    phone: stored.phone,
    company: stored.company,
    userId: stored.userId
  }

export const siteOf = (row: SiteRow): Site => ({
  id: row.id,
  organisationId: row.organisationId,
  siteName: row.siteName,
  capacity: Number(row.capacity),
  unit: row.unit,
  address: row.address,
  latitude: row.latitude,
  longitude: row.longitude,
  portfolioId: row.portfolioId,
  siteManager: managerOf(row.siteManager),
  coverImageUrl: row.coverImageUrl,
  capacityKw: Number(row.capacityKw),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  version: row.version
})
