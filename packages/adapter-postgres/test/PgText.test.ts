import { changedTable, mainChange, mainQuery, type PgText, sql, table } from "@solar-sites/adapter-postgres"
import { describe, expect, it } from "vitest"
import { identified, joined, literal, namesIn, rendered, routine, tablesOf } from "../src/client/PgText.ts"

const names = namesIn('"so\'lar"')
const inSchema = (text: PgText) => rendered(text.parts, names)

const rest = 'left join (select true, "identified answer".* from "identified answer") a on true'

describe("a text", () => {
  it("has the names of its schema, in fragments too", () => {
    const rows = joined([sql`select from ${table("site")}`, "select 1"], " union all ")
    expect(inSchema(sql`select ${1} from (${rows}) x, ${routine("fold")}('$1')`)).toBe(
      `select 1 from (select from "so'lar".site union all select 1) x, "so'lar".fold('$1')`
    )
    expect(inSchema(literal(sql`select 'a' from ${table("site")}`))).toBe(`'select ''a'' from "so''lar".site'`)
  })

  it("has its tables, each with whether it is changed somewhere", () => {
    const nested = literal(sql`select from ${table("u")}`)
    const text = sql`delete from ${changedTable("site")} using ${table("site")}, ${table("t")} where ${nested} <> ''`
    expect([...tablesOf(text)]).toEqual([
      ["site", true],
      ["t", false],
      ["u", false]
    ])
  })

  it("cannot be part of a string, which would lose the names", () => {
    expect(() => `${table("site")}`).toThrow("a template that is not tagged with `sql`")
  })
})

describe("a text with a statement id", () => {
  it.each(["select 1 -- one", "with a as (select 1) select * from a", "insert into t select 1 returning a"])(
    "is whole when nothing says where its main statement begins: %s",
    (text) => {
      expect(identified(sql`${text}`, 2, names)).toBe(
        `with "identified answer" as (${text}\n)\nselect $2::text, a.* from (select) one ${rest}`
      )
    }
  )

  it("keeps expressions in front of its main statement, which may change rows", () => {
    const text = sql`with a as (update ${changedTable("t")} set b = 1 returning *) ${mainQuery} select * from a`
    expect(identified(text, 3, names)).toBe(
      `with a as (update "so'lar".t set b = 1 returning *) \n, "identified answer" as ( select * from a\n)
select $3::text, a.* from (select) one ${rest}`
    )
  })

  it("answers one row for a change without rows", () => {
    const changed = '"identified answer" as ( delete from t\n)\nselect $1::text, null from (select) one'
    expect(identified(sql`${mainChange} delete from t`, 1, names)).toBe(`with ${changed}`)
    expect(identified(sql`with a as (select 1) ${mainChange} delete from t`, 1, names)).toBe(
      `with a as (select 1) \n, ${changed}`
    )
  })
})
