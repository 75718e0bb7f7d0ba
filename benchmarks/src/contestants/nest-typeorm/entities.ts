/**
 * The tables for TypeORM.
 */
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type ValueTransformer } from "typeorm"
import type { SiteManager, Unit } from "../common/model.ts"

const decimal: ValueTransformer = { to: (value: unknown) => value, from: Number }

@Entity({ name: "organisation" })
export class OrganisationEntity {
  @PrimaryColumn({ type: "uuid" }) id!: string
  @Column({ type: "text" }) name!: string
  @Column({ type: "text" }) status!: string
}

@Entity({ name: "api_key" })
export class ApiKeyEntity {
  @PrimaryColumn({ type: "uuid", name: "organisation_id" }) organisationId!: string
  @PrimaryColumn({ type: "uuid" }) id!: string
  @Column({ type: "bytea", select: false }) digest!: Buffer
  @Column({ type: "text" }) name!: string
  @Column({ type: "text" }) prefix!: string
  @Column({ type: "text", name: "created_by", nullable: true }) createdBy!: string | null
  @Column({ type: "timestamptz", name: "created_at" }) createdAt!: Date
  @Column({ type: "timestamptz", name: "expires_at" }) expiresAt!: Date
  @Column({ type: "timestamptz", name: "last_used_at", nullable: true }) lastUsedAt!: Date | null
  @ManyToOne(() => OrganisationEntity)
  @JoinColumn({ name: "organisation_id" })
  organisation!: OrganisationEntity
}

@Entity({ name: "site" })
export class SiteEntity {
  @PrimaryColumn({ type: "uuid", name: "organisation_id" }) organisationId!: string
  @PrimaryColumn({ type: "uuid" }) id!: string
  @Column({ type: "uuid", name: "portfolio_id", nullable: true }) portfolioId!: string | null
  @Column({ type: "text", name: "site_name" }) siteName!: string
  @Column({ type: "text", nullable: true }) address!: string | null
  @Column({ type: "numeric", transformer: decimal }) capacity!: number
  @Column({ type: "text" }) unit!: Unit
  @Column({ type: "numeric", name: "kilowatts_per_unit", select: false }) kilowattsPerUnit!: string
  @Column({ type: "numeric", name: "capacity_kw", insert: false, update: false, transformer: decimal })
  capacityKw!: number
  @Column({ type: "double precision", nullable: true }) latitude!: number | null
  @Column({ type: "double precision", nullable: true }) longitude!: number | null
  @Column({ type: "jsonb", name: "site_manager", nullable: true }) siteManager!: SiteManager | null
  @Column({ type: "text", name: "cover_image_url", nullable: true }) coverImageUrl!: string | null
  @Column({ type: "timestamptz", name: "created_at" }) createdAt!: Date
  @Column({ type: "timestamptz", name: "updated_at" }) updatedAt!: Date
  @Column({ type: "integer" }) version!: number
}

@Entity({ name: "portfolio" })
export class PortfolioEntity {
  @PrimaryColumn({ type: "uuid", name: "organisation_id" }) organisationId!: string
  @PrimaryColumn({ type: "uuid" }) id!: string
  @Column({ type: "text" }) name!: string
  @Column({ type: "timestamptz", name: "created_at" }) createdAt!: Date
  @Column({ type: "timestamptz", name: "updated_at" }) updatedAt!: Date
  @Column({ type: "integer" }) version!: number
  /** Filled by a join. The foreign key has two columns; one belongs to the primary key. */
  sites?: ReadonlyArray<SiteEntity>
}

@Entity({ name: "document" })
export class DocumentEntity {
  @PrimaryColumn({ type: "uuid", name: "organisation_id" }) organisationId!: string
  @PrimaryColumn({ type: "uuid" }) id!: string
  @Column({ type: "uuid", name: "site_id" }) siteId!: string
  @Column({ type: "text" }) type!: string
  @Column({ type: "text", name: "document_type", nullable: true }) documentType!: string | null
  @Column({ type: "text" }) filename!: string
  @Column({ type: "text" }) status!: string
  @Column({ type: "text", name: "mime_type" }) mimeType!: string
  @Column({ type: "bigint", name: "size_bytes", nullable: true }) sizeBytes!: number | null
  @Column({ type: "bigint", name: "declared_bytes", nullable: true }) declaredBytes!: number | null
  @Column({ type: "text", name: "uploaded_by", nullable: true }) uploadedBy!: string | null
  @Column({ type: "text", name: "om_record_id", nullable: true }) omRecordId!: string | null
  @Column({ type: "timestamptz", name: "created_at" }) createdAt!: Date
  @Column({ type: "timestamptz", name: "updated_at" }) updatedAt!: Date
  @Column({ type: "integer" }) version!: number
  @Column({ type: "timestamptz", name: "address_expires_at" }) addressExpiresAt!: Date
  @Column({ type: "timestamptz", name: "look_at", nullable: true }) lookAt!: Date | null
}
