import { changedTable, mainChange, migrationSql, type PgText, sql, table } from "@solar-sites/adapter-postgres"
import { assert, describe, it } from "vitest"
import { distributedTables, referenceTables } from "../src/citus/Tables.ts"
import { makeCitus } from "../src/client/PgCitus.ts"
import type { PgSql } from "../src/client/PgDriver.ts"
import type { PgParameter, PgScope } from "../src/client/PgStatement.ts"
import { literal, routine } from "../src/client/PgText.ts"

const organisationId = "00000000-0000-4000-8000-000000000001"
const node = "00000000-0000-4000-8000-000000000002"

/** A client that records what it gets. Calls for the node fail with the error. */
const recorder = (error?: { readonly code: string }) => {
  const sent: Array<readonly [text: string, parameters: ReadonlyArray<PgParameter>]> = []
  const client: PgSql = {
    options: { max: 1 },
    unsafe: (text, parameters = []) => {
      sent.push([text, parameters])
      const values = async () => {
        if (text.includes("node_organisations")) return [[organisationId], [node]]
        if (error !== undefined && parameters[0] === node) throw error
        return [['["id",true,"x"]']]
      }
      return { values }
    }
  }
  return { client, sent }
}

const execute = async (text: PgText, scope: PgScope, readOnly = false, error?: { readonly code: string }) => {
  const { client, sent } = recorder(error)
  const statement = { text, parameters: ['a"b\\', null], scope, readOnly }
  const rows = await makeCitus('"solar"').execute(client, statement, {})
  return { rows, sent }
}

const [site, organisation, key] = [table("site"), table("organisation"), table("api_key")]

describe("the tables of organisations", () => {
  it("are those that migrations create", () => {
    const created = [...migrationSql().matchAll(/create table (?:if not exists )?"solar"\.(\w+)/g)].map(
      ([, name]) => name
    )
    const listed = [...distributedTables, ...Object.keys(referenceTables), "migration"]
    assert.deepStrictEqual(created.sort(), listed.sort())
  })
})

describe("a statement on Citus", () => {
  it("of an organisation goes to its shard, with placeholders for tables and its parameters as an array", async () => {
    const text = sql`select '100%', ${routine("fold")}(s.name), ${literal(sql`'${site}'`)} from ${site} s, ${organisation} o`
    const { sent } = await execute(text, { organisationId })
    const format = `select '100%%', "solar".fold(s.name), '''%1$s''' from %1$s s, %2$s o`
    assert.deepStrictEqual(sent, [
      [
        'select "solar".on_shard($1::uuid, $2::text, $3::text[], $4::text[])',
        [
          organisationId,
          `with "identified answer" as (${format}\n)
select $2::text, a.* from (select) one left join (select true, "identified answer".* from "identified answer") a on true`,
          '{"site","organisation"}',
          '{"a\\"b\\\\",null}'
        ]
      ]
    ])
  })

  it("that changes reference tables, or local ones with events, goes to the coordinator", async () => {
    for (const text of [
      sql`${mainChange} update ${changedTable("api_key")} k set name = $1`,
      sql`with u as (delete from ${table("console_user")} u returning 1)
        ${mainChange} insert into ${table("event")} select 1 from u`
    ]) {
      const [[sent = "", parameters] = []] = (await execute(text, { organisationId })).sent
      assert.include(sent, ".on_coordinator(")
      assert.notInclude(String(parameters?.[1]), "coordinator_")
    }
  })

  it("on tables of the coordinator or of a host, and of an organisation, reads its copies", async () => {
    for (const [scope, text] of [
      ["none", sql`select from ${table("console_user")} u join ${organisation} o on true`],
      [{ organisationId }, sql`select x.xmin from ${key} x`],
      [{ organisationId }, sql`select from ${table("console_user")} u`]
    ] as const) {
      const [[sent = ""] = []] = (await execute(text, scope, true)).sent
      assert.notMatch(sent, /%|on_|"solar"\.(organisation|api_key)/)
      assert.match(sent, /"solar"\.(console_user u|coordinator_api_key x)/)
    }
  })

  it("on reference tables in all organisations, or as a string, stays as it is", async () => {
    for (const text of [sql`select from ${key} k where k.digest = $1`, sql`select 1 from "solar".api_key`]) {
      const [[sent = ""] = []] = (await execute(text, "acrossOrganisations", true)).sent
      assert.include(sent, '"solar".api_key')
    }
  })

  it("of all organisations reads every node, but for one that is down", async () => {
    const text = sql`select from ${table("webhook")}`
    const { rows, sent } = await execute(text, "acrossOrganisations", true)
    assert.strictEqual(sent.length, 3)
    assert.deepStrictEqual(rows, [
      ["id", true, "x"],
      ["id", true, "x"]
    ])
    const less = await execute(text, "acrossOrganisations", true, { code: "08006" })
    assert.deepStrictEqual(less.rows, [["id", true, "x"]])
    const fault = await execute(text, "acrossOrganisations", true, { code: "42601" }).catch((cause: unknown) => cause)
    assert.propertyVal(fault, "code", "42601")
  })
})
