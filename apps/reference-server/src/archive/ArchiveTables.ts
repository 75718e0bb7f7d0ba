/**
 * The tables of an archive: one NDJSON entry each, one line per row. Members of a line are columns of
 * the table, under the names of the API where it shows them.
 */
import { PgStoredColumns } from "@solar-sites/adapter-postgres"
import {
  DocumentRecord,
  DocumentRequirement,
  Event,
  EventActor,
  kilowattsPerUnit,
  maximumRequirements,
  Portfolio,
  Site
} from "@solar-sites/core"
import { Schema, Struct } from "effect"
import { loginOf, User } from "../accounts/people/User.ts"
import { DigestChoice } from "../digest/DigestChoice.ts"
import { archiveBounds } from "./ArchiveFormat.ts"

export type Line = Readonly<Record<string, unknown>>

/** A member, its column and SQL type. `absent` is its value in archives of versions without it. */
type ArchiveColumn = PgStoredColumns.StoredColumn

/** The SQL type of a column, and its value in a line, which has no such member. */
interface DerivedColumn extends Omit<ArchiveColumn, "member" | "absent"> {
  readonly value: (line: Line) => unknown
}

export interface ArchiveTable {
  /** Name of the entry without `.ndjson`. */
  readonly resource: string
  readonly table: string
  /** Unique within an organisation; lines ascend by it. */
  readonly key: string
  readonly maximumRows: number
  readonly columns: ReadonlyArray<ArchiveColumn>
  /** Columns that an archive does not hold. */
  readonly derived: ReadonlyArray<DerivedColumn>
  /** Throws for an invalid line. Adds the members that an earlier version did not have. */
  readonly check: (line: unknown) => Line
}

const nameOf = (member: string): string => member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Columns that are declared here, with their SQL types. */
const columnsOf = (types: Readonly<Record<string, string>>): ReadonlyArray<ArchiveColumn> =>
  Object.entries(types).map(([member, type]) => ({ member, name: nameOf(member), type }))

type Fields = Readonly<Record<string, Schema.Constraint & { readonly DecodingServices: never }>>

/** `fields` has a schema for the member of each column. */
const checkWith = (columns: ReadonlyArray<ArchiveColumn>, fields: Fields): ArchiveTable["check"] => {
  const members = columns.map(({ member }) => {
    const field = fields[member]
    if (field === undefined) throw new Error(`${member} has no schema`)
    return [member, field] as const
  })
  const absent = Object.fromEntries(
    columns.flatMap((column) => ("absent" in column ? [[column.member, column.absent]] : []))
  )
  const decode = Schema.decodeUnknownSync(Schema.Struct(Object.fromEntries(members)), { onExcessProperty: "error" })
  return (given) => {
    const line = typeof given === "object" && given !== null ? { ...absent, ...given } : given
    decode(line)
    // `as`: the schema accepts objects only.
    return line as Line
  }
}

type Declaration = Pick<ArchiveTable, "resource" | "table" | "columns"> & Partial<ArchiveTable>

const tableOf = (declared: Declaration, fields: Fields): ArchiveTable => ({
  ...{ key: "id", maximumRows: archiveBounds.rows, derived: [] },
  check: checkWith(declared.columns, fields),
  ...declared
})

const portfolios = tableOf(
  { resource: "portfolios", table: "portfolio", columns: PgStoredColumns.portfolio },
  Portfolio.fields
)

const sites = tableOf(
  {
    resource: "sites",
    table: "site",
    columns: PgStoredColumns.site,
    derived: [
      {
        name: "kilowatts_per_unit",
        type: "numeric",
        value: ({ unit }) => Reflect.get(kilowattsPerUnit, String(unit))
      }
    ]
  },
  Site.fields
)

const documents = tableOf(
  {
    resource: "documents",
    table: "document",
    columns: [
      ...PgStoredColumns.document,
      ...columnsOf({
        declaredBytes: "bigint",
        refused: "boolean",
        addressExpiresAt: "timestamptz",
        lookAt: "timestamptz"
      }),
      ...columnsOf({ expiringAnnounced: "date", expiredAnnounced: "date" }).map((column) => ({
        ...column,
        absent: null
      }))
    ]
  },
  DocumentRecord.fields
)

const requirements = tableOf(
  {
    resource: "requirements",
    table: "requirement",
    key: "position",
    maximumRows: maximumRequirements,
    columns: columnsOf({
      position: "integer",
      documentType: "text",
      portfolioId: "uuid",
      validityRequired: "boolean",
      expiringWithinDays: "integer"
    })
  },
  { position: Schema.Int, ...DocumentRequirement.fields }
)

const events = tableOf(
  {
    resource: "events",
    table: "event",
    key: "sequence",
    maximumRows: archiveBounds.events,
    columns: columnsOf({
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
    })
  },
  {
    ...Struct.omit(Event.fields, ["actor", "subject"]),
    ...EventActor.fields,
    subjectId: Event.fields.id,
    subjectName: Schema.NullOr(Schema.String)
  }
)

/** Without a password: imported users set one by a reset link. */
export const users = tableOf(
  {
    resource: "users",
    table: "console_user",
    columns: [
      ...columnsOf({ id: "uuid", email: "text", name: "text", role: "text", createdAt: "timestamptz" }),
      { member: "digest", name: "digest", type: "text", absent: "weekly" },
      { member: "portfolioIds", name: "portfolio_ids", type: "uuid[]", absent: null }
    ],
    derived: [
      { name: "login", type: "text", value: ({ email }) => loginOf(String(email)) },
      { name: "password_version", type: "integer", value: () => 1 }
    ]
  },
  { ...User.fields, digest: DigestChoice }
)

/** Entries before the files, in the order of the archive: each row comes after those that it names. */
export const tablesBeforeFiles: ReadonlyArray<ArchiveTable> = [events, portfolios, sites, requirements, users]

/** Follows the files, so that an import stores a document after its file. */
export const documentTable = documents

export const archiveTables: ReadonlyArray<ArchiveTable> = [...tablesBeforeFiles, documents]
