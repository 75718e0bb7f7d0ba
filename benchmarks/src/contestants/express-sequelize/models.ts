/**
 * The tables for Sequelize.
 */
import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  Sequelize
} from "sequelize"
import type { SiteManager, Unit } from "../common/model.ts"
import { settings } from "../common/settings.ts"

export const sequelize = new Sequelize(settings.databaseUrl, {
  logging: false,
  pool: { max: settings.poolSize, min: 0 },
  define: { schema: settings.schema, underscored: true, freezeTableName: true, timestamps: false }
})

// Sequelize writes the name of the column into the object that describes it.
const key = () => ({ type: DataTypes.UUID, primaryKey: true })
const text = () => ({ type: DataTypes.TEXT })
const instant = () => ({ type: DataTypes.DATE })

export class Organisation extends Model<InferAttributes<Organisation>, InferCreationAttributes<Organisation>> {
  declare id: string
  declare name: string
  declare status: string
}
Organisation.init({ id: key(), name: text(), status: text() }, { sequelize, tableName: "organisation" })

export class ApiKey extends Model<InferAttributes<ApiKey>, InferCreationAttributes<ApiKey>> {
  declare organisationId: string
  declare id: string
  declare digest: Buffer
  declare name: string
  declare prefix: string
  declare createdBy: string | null
  declare createdAt: Date
  declare expiresAt: Date
  declare lastUsedAt: Date | null
  declare organisation?: NonAttribute<Organisation>
}
ApiKey.init(
  {
    organisationId: key(),
    id: key(),
    digest: { type: DataTypes.BLOB },
    name: text(),
    prefix: text(),
    createdBy: text(),
    createdAt: instant(),
    expiresAt: instant(),
    lastUsedAt: instant()
  },
  { sequelize, tableName: "api_key" }
)
ApiKey.belongsTo(Organisation, { as: "organisation", foreignKey: "organisationId" })

export class Site extends Model<InferAttributes<Site>, InferCreationAttributes<Site>> {
  declare organisationId: string
  declare id: string
  declare portfolioId: string | null
  declare siteName: string
  declare address: string | null
  declare capacity: string | number
  declare unit: Unit
  declare kilowattsPerUnit: string
  declare capacityKw: CreationOptional<string>
  declare latitude: number | null
  declare longitude: number | null
  declare siteManager: SiteManager | null
  declare coverImageUrl: string | null
  declare createdAt: Date
  declare updatedAt: Date
  declare version: number
}
Site.init(
  {
    organisationId: key(),
    id: key(),
    portfolioId: { type: DataTypes.UUID },
    siteName: text(),
    address: text(),
    capacity: { type: DataTypes.DECIMAL },
    unit: text(),
    kilowattsPerUnit: { type: DataTypes.DECIMAL },
    capacityKw: { type: DataTypes.DECIMAL },
    latitude: { type: DataTypes.DOUBLE },
    longitude: { type: DataTypes.DOUBLE },
    siteManager: { type: DataTypes.JSONB },
    coverImageUrl: text(),
    createdAt: instant(),
    updatedAt: instant(),
    version: { type: DataTypes.INTEGER }
  },
  { sequelize, tableName: "site" }
)

export class Portfolio extends Model<InferAttributes<Portfolio>, InferCreationAttributes<Portfolio>> {
  declare organisationId: string
  declare id: string
  declare name: string
  declare createdAt: Date
  declare updatedAt: Date
  declare version: number
  declare sites?: NonAttribute<ReadonlyArray<Site>>
}
Portfolio.init(
  {
    organisationId: key(),
    id: key(),
    name: text(),
    createdAt: instant(),
    updatedAt: instant(),
    version: { type: DataTypes.INTEGER }
  },
  { sequelize, tableName: "portfolio" }
)
Portfolio.hasMany(Site, { as: "sites", foreignKey: "portfolioId", sourceKey: "id" })

export class Document extends Model<InferAttributes<Document>, InferCreationAttributes<Document>> {
  declare organisationId: string
  declare id: string
  declare siteId: string
  declare type: string
  declare documentType: string | null
  declare filename: string
  declare status: string
  declare mimeType: string
  declare sizeBytes: number | null
  declare declaredBytes: number | null
  declare uploadedBy: string | null
  declare omRecordId: string | null
  declare createdAt: Date
  declare updatedAt: Date
  declare version: number
  declare addressExpiresAt: Date
  declare lookAt: Date | null
}
Document.init(
  {
    organisationId: key(),
    id: key(),
    siteId: { type: DataTypes.UUID },
    type: text(),
    documentType: text(),
    filename: text(),
    status: text(),
    mimeType: text(),
    sizeBytes: { type: DataTypes.BIGINT },
    declaredBytes: { type: DataTypes.BIGINT },
    uploadedBy: text(),
    omRecordId: text(),
    createdAt: instant(),
    updatedAt: instant(),
    version: { type: DataTypes.INTEGER },
    addressExpiresAt: instant(),
    lookAt: instant()
  },
  { sequelize, tableName: "document" }
)
