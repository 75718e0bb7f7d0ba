import { assert, describe, it } from "@effect/vitest"
import { mainQuery, PgClient, PgStoredColumns, sql } from "@solar-sites/adapter-postgres"
import { jsonOf, OrganisationRepository, Site } from "@solar-sites/core"
import { anOrganisation, aSite, siteMethods } from "@solar-sites/testing"
import { Effect, Schema } from "effect"
import { computed, instant, nullable, numeric, text, uuid } from "../../src/tables/Column.ts"
import { pageFromText, pageText } from "../../src/tables/PageText.ts"
import { kilowatts, siteTable } from "../../src/tables/SiteTable.ts"
import { makeTable, type Row } from "../../src/tables/Table.ts"
import { type Database, onPglite, onPostgres, withoutPostgres } from "../Databases.ts"

const { id, organisationId, siteName, capacity, ...others } = Site.fields

/** A site with a member in the middle of the model, and its column at the start of the declaration. */
class SurveyedSite extends Schema.Class<SurveyedSite>("test/SurveyedSite")({
  id,
  organisationId,
  siteName,
  surveyedBy: Schema.NullOr(Schema.String),
  capacity,
  ...others
}) {}

const surveyedTable = makeTable(SurveyedSite, ["organisationId"], {
  surveyedBy: nullable(text("surveyed_by")),
  ...siteTable.columns
})

const hostile = 'a\u001fb\u001ec\nd\u0001"\\'
const sites = [
  new SurveyedSite({
    ...aSite({
      latitude: -0.5,
      address: "1 Long Lane",
      coverImageUrl: "https://images.example/a.jpg",
      siteManager: { name: hostile, email: null, phone: null, company: "A", userId: "u" }
    }),
    surveyedBy: hostile
  }),
  new SurveyedSite({ ...aSite({ capacity: 0.07, unit: "MW" }), surveyedBy: null })
]

/** Inserts sites by what is derived from the table, and reads them in every form. */
const roundTrip = Effect.fnUntraced(function* (ports: Database) {
  yield* Effect.gen(function* () {
    const { run, schema } = yield* PgClient
    const organisation = anOrganisation()
    yield* (yield* OrganisationRepository).insert(organisation)
    const given = { organisationId: organisation.id }
    const stored = sites.map((site) => new SurveyedSite({ ...site, ...given }))
    yield* run({ operation: "test", text: `alter table ${schema}.site add column surveyed_by text` })

    const inserted = yield* run({
      operation: "test",
      text: sql`with stored as (
        insert into ${schema}.site (organisation_id, kilowatts_per_unit, ${surveyedTable.inserted.join(", ")})
        select $1::uuid, ${kilowatts("r.unit")}, ${surveyedTable.insertedValues("r").join(", ")}
        from json_to_recordset($2::text::json) as r (${surveyedTable.inputTypes})
        returning *
      ) ${mainQuery} select ${surveyedTable.rows("s", "order by s.id")} from stored s`,
      parameters: [organisation.id, `[${stored.map(surveyedTable.input).join(",")}]`]
    })
    const rows: ReadonlyArray<Row<SurveyedSite>> = JSON.parse(String(inserted[0]?.[0]))
    assert.deepStrictEqual(rows.map(surveyedTable.reader(given)), stored)

    const [[found] = []] = yield* run({
      operation: "test",
      text: pageText(surveyedTable, `select * from ${schema}.site s where s.organisation_id = $1::uuid`),
      parameters: [organisation.id]
    })
    const page = pageFromText(String(found), { table: surveyedTable, given, limit: 10 })
    assert.deepStrictEqual(page.items, stored)
    assert.deepStrictEqual(
      jsonOf(page)?.texts(),
      stored.map((site) => JSON.stringify(site))
    )
    assert.strictEqual(jsonOf(page)?.lastId, stored.at(-1)?.id)

    const changes = { surveyedBy: "Ada", latitude: -0, siteManager: null }
    const [[changed] = []] = yield* run({
      operation: "test",
      text: sql`with changed as (
        update ${schema}.site s set ${surveyedTable.settable.map((column) => `${column} = n.${column}`).join(", ")}
        from (select s from ${schema}.site s where s.organisation_id = $1::uuid and s.id = $2::uuid) b,
          jsonb_populate_record(b.s, $3::text::jsonb) n
        where s.organisation_id = $1::uuid and s.id = $2::uuid
        returning s.*
      ) ${mainQuery} select ${surveyedTable.row("s")} from changed s`,
      parameters: [organisation.id, stored[0]?.id ?? "", surveyedTable.input(changes)]
    })
    const reread = surveyedTable.reader(given)(JSON.parse(String(changed)))
    assert.deepStrictEqual({ ...reread }, { ...stored[0], ...changes })

    // The adapter's own table reads the same rows.
    const plain = yield* (yield* siteMethods).list(organisation.id, {}, { after: null, limit: 10 })
    assert.deepStrictEqual(
      plain.items.map(({ siteName }) => siteName),
      stored.map(({ siteName }) => siteName)
    )
  }).pipe(Effect.provide(ports))
})

describe("a table with one more column", () => {
  it.live.skipIf(withoutPostgres)("writes, reads and has JSON in the order of the model", () =>
    Effect.flatMap(onPostgres(), roundTrip)
  )

  it.live("does so in an embedded database too", () => Effect.flatMap(onPglite(), roundTrip))
})

describe("stored columns", () => {
  it.live.skipIf(withoutPostgres)(
    "have the names and types of their tables, and a value where one may be missing",
    () =>
      Effect.flatMap(onPostgres(), (ports) =>
        Effect.gen(function* () {
          const { run, schema } = yield* PgClient
          for (const [table, columns] of Object.entries(PgStoredColumns)) {
            const found = yield* run({
              operation: "test",
              text: `select c.name, format_type(a.atttypid, null), to_regtype(c.type)::text, a.attnotnull
              from json_to_recordset($1::text::json) as c (name text, type text)
              left join pg_attribute a on a.attrelid = '${schema}.${table}'::regclass and a.attname = c.name`,
              parameters: [JSON.stringify(columns)]
            })
            assert.strictEqual(found.length, columns.length)
            for (const [name, type, declared, isNotNull] of found) {
              assert.strictEqual(type, declared, `${table}.${name}`)
              const column = columns.find((one) => one.name === name)
              if (isNotNull === false) assert.isNull(column?.absent, `${table}.${name}`)
              else assert.isNotNull(column?.absent, `${table}.${name}`)
            }
          }
        }).pipe(Effect.provide(ports))
      )
  )
})

class Reading extends Schema.Class<Reading>("test/Reading")({
  id: Schema.String,
  takenAt: Schema.DateTimeUtcFromString,
  value: Schema.NullOr(Schema.Finite)
}) {}

const columns = { id: uuid("id"), takenAt: instant("taken_at"), value: nullable(numeric("value")) }

describe("a declaration", () => {
  it("compiles only with the column of every member", () => {
    const tables = () => [
      makeTable(Reading, [], columns),
      // @ts-expect-error a member has no column
      makeTable(Reading, [], { id: uuid("id"), takenAt: instant("taken_at") }),
      // @ts-expect-error there is no such member
      makeTable(Reading, [], { ...columns, sensor: text("sensor") }),
      // @ts-expect-error the member may be null
      makeTable(Reading, [], { ...columns, value: numeric("value") }),
      // @ts-expect-error the member is never null
      makeTable(Reading, [], { ...columns, takenAt: nullable(instant("taken_at")) }),
      // @ts-expect-error the member is not a number
      makeTable(Reading, [], { ...columns, takenAt: numeric("taken_at") })
    ]
    assert.isFunction(tables)
  })

  it("says which columns are written, and which of them callers set", () => {
    const table = makeTable(Reading, [], { ...columns, value: nullable(computed(numeric, (row) => `${row}.a * 2`)) })
    assert.deepStrictEqual(table.inserted, ["id", "taken_at"])
    assert.strictEqual(table.inputTypes, "id uuid, taken_at float8")
    assert.deepStrictEqual(table.settable, ["taken_at"])
    assert.include(table.row("r"), "r.a * 2")
    assert.strictEqual(table.input({ id: "1", value: 2 }), '{"id":"1"}')
    assert.strictEqual(makeTable(Reading, [], columns).input({ value: -0 }), '{"value":"-0"}')
  })

  it("takes given members anywhere in the model", () => {
    const text = ["1", "2"].map((value) => `"${value}"`).join("\x1e")
    for (const given of [
      { takenAt: aSite().createdAt, value: 1.5 },
      { takenAt: aSite().updatedAt, value: null }
    ]) {
      const table = makeTable(Reading, ["takenAt", "value"], { id: columns.id })
      const page = pageFromText(text, { table, given, limit: 2 })
      assert.deepStrictEqual(page.items, [new Reading({ id: "1", ...given }), new Reading({ id: "2", ...given })])
      assert.deepStrictEqual(
        jsonOf(page)?.texts(),
        page.items.map((item) => JSON.stringify(item))
      )
    }
  })
})
