/**
 * The tables for Sequelize.
 */
import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  Sequelize
} from "sequelize"
import { settings } from "../common/settings.ts"
import { memberNames, type SiteMembers, type SiteRow } from "../limit/site.ts"

export const sequelize = new Sequelize(settings.databaseUrl, {
  logging: false,
  pool: { max: settings.poolSize, min: 0 },
  define: { schema: settings.schema, underscored: true, freezeTableName: true, timestamps: false }
})

// Sequelize writes the name of the column into the object that describes it.
const key = () => ({ type: DataTypes.UUID, primaryKey: true })
const uuid = () => ({ type: DataTypes.UUID })
const text = () => ({ type: DataTypes.TEXT })
const instant = () => ({ type: DataTypes.DATE })
const decimal = () => ({ type: DataTypes.DECIMAL })
const double = () => ({ type: DataTypes.DOUBLE })
const jsonb = () => ({ type: DataTypes.JSONB })
const texts = () => ({ type: DataTypes.ARRAY(DataTypes.TEXT) })
const bigint = () => ({ type: DataTypes.BIGINT })
const integer = () => ({ type: DataTypes.INTEGER })

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
  declare scopes: ReadonlyArray<string> | null
  declare portfolioIds: ReadonlyArray<string> | null
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
    lastUsedAt: instant(),
    scopes: texts(),
    portfolioIds: texts()
  },
  { sequelize, tableName: "api_key" }
)
ApiKey.belongsTo(Organisation, { as: "organisation", foreignKey: "organisationId" })

interface SiteAttributes extends SiteRow {
  readonly kilowattsPerUnit: string
}

const allTexts = Object.fromEntries(memberNames.map((name) => [name, text()]))
const members = {
  // Object.fromEntries loses the names.
  ...(allTexts as Record<keyof SiteMembers, ReturnType<typeof text>>),
  portfolioId: uuid(),
  capacity: decimal(),
  latitude: double(),
  longitude: double(),
  siteManager: jsonb(),
  tags: texts(),
  attributes: jsonb()
}

export class Site extends Model<SiteAttributes, Omit<SiteAttributes, "capacityKw">> {}
/** Rows of a query with `raw`: plain objects, which the types of Sequelize do not know. */
export const plain = (rows: ReadonlyArray<Site>) => rows as unknown as ReadonlyArray<SiteAttributes>
Site.init(
  {
    organisationId: key(),
    id: key(),
    ...members,
    kilowattsPerUnit: decimal(),
    capacityKw: decimal(),
    createdAt: instant(),
    updatedAt: instant(),
    version: integer()
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
  declare externalId: string | null
  declare sites?: NonAttribute<ReadonlyArray<Site>>
}
Portfolio.init(
  {
    organisationId: key(),
    id: key(),
    name: text(),
    createdAt: instant(),
    updatedAt: instant(),
    version: integer(),
    externalId: text()
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
    siteId: uuid(),
    type: text(),
    documentType: text(),
    filename: text(),
    status: text(),
    mimeType: text(),
    sizeBytes: bigint(),
    declaredBytes: bigint(),
    uploadedBy: text(),
    omRecordId: text(),
    createdAt: instant(),
    updatedAt: instant(),
    version: integer(),
    addressExpiresAt: instant(),
    lookAt: instant()
  },
  { sequelize, tableName: "document" }
)

export class Event extends Model<InferAttributes<Event>, InferCreationAttributes<Event>> {
  declare organisationId: string
  declare sequence: number
  declare id: string
  declare type: string
  declare occurredAt: Date
  declare userId: string | null
  declare apiKeyId: string
  declare keyPrefix: string
  declare subjectId: string
  declare subjectName: string
  declare siteId: string
  declare changes: object
  declare requestId: string
}
Event.init(
  {
    organisationId: key(),
    sequence: { type: DataTypes.BIGINT, primaryKey: true },
    id: uuid(),
    type: text(),
    occurredAt: instant(),
    userId: text(),
    apiKeyId: uuid(),
    keyPrefix: text(),
    subjectId: uuid(),
    subjectName: text(),
    siteId: uuid(),
    changes: { type: DataTypes.JSON },
    requestId: text()
  },
  { sequelize, tableName: "event" }
)
