/**
 * The tables of an archive: one NDJSON entry each, one line per row. Members of a line are columns of
 * the table, under the names of the API where it shows them.
 */
import { Document, DocumentRequirement, Event, EventActor, kilowattsPerUnit, Portfolio, Site } from "@solar-sites/core"
import { Schema, Struct } from "effect"
import { loginOf, User } from "../accounts/User.ts"

export type Line = Readonly<Record<string, unknown>>

/** The SQL type of a column, and its value in a line that has no such member. */
interface DerivedColumn {
  readonly type: string
  readonly value: (line: Line) => unknown
}

export interface ArchiveTable {
  /** Name of the entry without `.ndjson`. */
  readonly resource: string
  readonly table: string
  /** Unique within an organisation; lines ascend by it. */
  readonly key: string
  /** SQL type per member. Columns have the same names in snake case. */
  readonly members: Readonly<Record<string, string>>
  /** Columns that an archive does not hold. */
  readonly derived: Readonly<Record<string, DerivedColumn>>
  /** Throws for an invalid line. */
  readonly check: (line: unknown) => Line
}

const checkWith =
  <S extends Schema.Constraint & { readonly DecodingServices: never }>(schema: S) =>
  (line: unknown): Line => {
    Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })(line)
    // `as`: the schema accepts objects only.
    return line as Line
  }

const instants = { createdAt: "timestamptz", updatedAt: "timestamptz" }

const portfolios: ArchiveTable = {
  resource: "portfolios",
  table: "portfolio",
  key: "id",
  members: { id: "uuid", name: "text", ...instants, version: "integer", externalId: "text" },
  derived: {},
  check: checkWith(Schema.Struct(Struct.omit(Portfolio.fields, ["organisationId", "siteCount", "capacityKw"])))
}

const sites: ArchiveTable = {
  resource: "sites",
  table: "site",
  key: "id",
  members: {
    id: "uuid",
    siteName: "text",
    capacity: "numeric",
    unit: "text",
    address: "text",
    latitude: "float8",
    longitude: "float8",
    portfolioId: "uuid",
    siteManager: "jsonb",
    coverImageUrl: "text",
    ...instants,
    version: "integer",
    externalId: "text",
    tags: "text[]",
    attributes: "jsonb"
  },
  derived: {
    kilowattsPerUnit: { type: "numeric", value: ({ unit }) => Reflect.get(kilowattsPerUnit, String(unit)) }
  },
  check: checkWith(Schema.Struct(Struct.omit(Site.fields, ["organisationId", "capacityKw"])))
}

const NullableInstant = Schema.NullOr(Schema.DateTimeUtcFromString)

const documents: ArchiveTable = {
  resource: "documents",
  table: "document",
  key: "id",
  members: {
    id: "uuid",
    siteId: "uuid",
    type: "text",
    documentType: "text",
    filename: "text",
    status: "text",
    mimeType: "text",
    sizeBytes: "bigint",
    declaredBytes: "bigint",
    uploadedBy: "text",
    omRecordId: "text",
    failureReason: "text",
    refused: "boolean",
    ...instants,
    version: "integer",
    note: "text",
    validFrom: "date",
    validUntil: "date",
    replaces: "uuid",
    replacedBy: "uuid",
    addressExpiresAt: "timestamptz",
    lookAt: "timestamptz"
  },
  derived: {},
  check: checkWith(
    Schema.Struct({
      ...Struct.omit(Document.fields, ["organisationId", "path"]),
      declaredBytes: Schema.NullOr(Schema.Int),
      refused: Schema.Boolean,
      addressExpiresAt: Schema.DateTimeUtcFromString,
      lookAt: NullableInstant
    })
  )
}

const requirements: ArchiveTable = {
  resource: "requirements",
  table: "requirement",
  key: "position",
  members: {
    position: "integer",
    documentType: "text",
    portfolioId: "uuid",
    validityRequired: "boolean",
    expiringWithinDays: "integer"
  },
  derived: {},
  check: checkWith(Schema.Struct({ position: Schema.Int, ...DocumentRequirement.fields }))
}

const events: ArchiveTable = {
  resource: "events",
  table: "event",
  key: "sequence",
  members: {
    id: "uuid",
    sequence: "bigint",
    type: "text",
    occurredAt: "timestamptz",
    userId: "text",
    apiKeyId: "uuid",
    keyPrefix: "text",
    subjectId: "uuid",
    subjectName: "text",
    siteId: "uuid",
    changes: "json",
    requestId: "text"
  },
  derived: {},
  check: checkWith(
    Schema.Struct({
      ...Struct.omit(Event.fields, ["actor", "subject"]),
      ...EventActor.fields,
      subjectId: Event.fields.id,
      subjectName: Schema.NullOr(Schema.String)
    })
  )
}

/** Without a password: imported users set one by a reset link. */
export const users: ArchiveTable = {
  resource: "users",
  table: "console_user",
  key: "id",
  members: { id: "uuid", email: "text", name: "text", role: "text", createdAt: "timestamptz" },
  derived: {
    login: { type: "text", value: ({ email }) => loginOf(String(email)) },
    passwordVersion: { type: "integer", value: () => 1 }
  },
  check: checkWith(Schema.Struct(Struct.omit(User.fields, ["organisationId"])))
}

/** Entries before the files, in the order of the archive: each row comes after those that it names. */
export const tablesBeforeFiles: ReadonlyArray<ArchiveTable> = [events, portfolios, sites, requirements, users]

/** Follows the files, so that an import stores a document after its file. */
export const documentTable = documents

export const archiveTables: ReadonlyArray<ArchiveTable> = [...tablesBeforeFiles, documents]
