/**
 * The tables for Kysely.
 */
import type { Generated, JSONColumnType } from "kysely"
import type { SiteManager, Unit } from "../common/model.ts"

interface OrganisationTable {
  id: string
  name: string
  status: string
}

interface ApiKeyTable {
  organisation_id: string
  id: string
  digest: Buffer
  name: string
  prefix: string
  created_by: string | null
  created_at: Date
  expires_at: Date
  last_used_at: Date | null
}

interface PortfolioTable {
  organisation_id: string
  id: string
  name: string
  created_at: Date
  updated_at: Date
  version: number
}

interface SiteTable {
  organisation_id: string
  id: string
  portfolio_id: string | null
  site_name: string
  address: string | null
  capacity: number
  unit: Unit
  kilowatts_per_unit: string
  capacity_kw: Generated<number>
  latitude: number | null
  longitude: number | null
  site_manager: JSONColumnType<SiteManager> | null
  cover_image_url: string | null
  created_at: Date
  updated_at: Date
  version: number
}

interface DocumentTable {
  organisation_id: string
  id: string
  site_id: string
  type: string
  document_type: string | null
  filename: string
  status: string
  mime_type: string
  size_bytes: number | null
  declared_bytes: number | null
  uploaded_by: string | null
  om_record_id: string | null
  created_at: Date
  updated_at: Date
  version: number
  address_expires_at: Date
  look_at: Date | null
}

export interface Tables {
  organisation: OrganisationTable
  api_key: ApiKeyTable
  portfolio: PortfolioTable
  site: SiteTable
  document: DocumentTable
}
