import { migrationSql } from "@solar-sites/adapter-postgres"
import { assert, describe, it } from "vitest"
import { distributedTables, referenceTables } from "../src/citus/Tables.ts"
import { makeCitus } from "../src/client/PgCitus.ts"
import type { PgSql } from "../src/client/PgDriver.ts"
import type { PgParameter, PgScope } from "../src/client/PgStatement.ts"

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

const execute = async (text: string, scope: PgScope, readOnly = false, error?: { readonly code: string }) => {
  const { client, sent } = recorder(error)
  const statement = { text, parameters: ['a"b\\', null], scope, readOnly }
  const rows = await makeCitus('"solar"').execute(client, statement, {})
  return { rows, sent }
}

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
    const text = `select '100%', "solar".fold(s.name) from "solar".site s, "solar".organisation o`
    const { sent } = await execute(text, { organisationId })
    assert.deepStrictEqual(sent, [
      [
        'select "solar".on_shard($1::uuid, $2::text, $3::text[], $4::text[])',
        [
          organisationId,
          `select '100%%', "solar".fold(s.name) from %1$s s, %2$s o`,
          '{"site","organisation"}',
          '{"a\\"b\\\\",null}'
        ]
      ]
    ])
  })

  it("that writes reference tables, or local ones with events, goes to the coordinator", async () => {
    for (const text of [
      `update "solar".api_key k set name = $1`,
      `with u as (delete from "solar".console_user u returning 1) insert into "solar".event select 1 from u`
    ]) {
      const [[sent = ""] = []] = (await execute(text, { organisationId })).sent
      assert.include(sent, ".on_coordinator(", text)
    }
  })

  it("on local tables reads the copies of the coordinator", async () => {
    const text = `select from "solar".console_user u join "solar".organisation o on true`
    const [[sent] = []] = (await execute(text, "none")).sent
    assert.strictEqual(sent, text.replace("organisation o", "coordinator_organisation o"))
  })

  it("of revisions of reference tables reads the copies, which a commit compares", async () => {
    const text = `select x.xmin from "solar".api_key x where x.organisation_id = $1`
    const [[sent] = []] = (await execute(text, { organisationId }, true)).sent
    assert.strictEqual(sent, text.replace("api_key", "coordinator_api_key"))
  })

  it("on reference tables alone stays as it is", async () => {
    const text = `select from "solar".api_key k where k.digest = $1`
    const [[sent] = []] = (await execute(text, "acrossOrganisations", true)).sent
    assert.strictEqual(sent, text)
  })

  it("of all organisations reads every node, but for one that is down", async () => {
    const text = `select from "solar".webhook`
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
