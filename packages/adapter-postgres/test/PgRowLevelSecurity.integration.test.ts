import { assert, describe, it } from "@effect/vitest"
import { mainChange, PgClient, rowLevelSecuritySql, sql, table } from "@solar-sites/adapter-postgres"
import { OrganisationRepository } from "@solar-sites/core"
import { anOrganisation, aSite, siteMethods } from "@solar-sites/testing"
import { Effect, Option } from "effect"
import { reading, writing } from "../src/client/PgJsonStatement.ts"
import { boundExecution, boundText, settingsOf } from "../src/security/PgRowLevelSecurity.ts"
import { withoutPostgres } from "./Databases.ts"
import { asBoundRole } from "./Roles.ts"

/** An organisation with a site. */
const aMember = Effect.gen(function* () {
  const organisation = anOrganisation()
  const site = aSite({ organisationId: organisation.id })
  yield* (yield* OrganisationRepository).insert(organisation)
  yield* (yield* siteMethods).insert(organisation.id, site)
  return { organisation, site }
})

describe.skipIf(withoutPostgres)("row-level security", () => {
  it.live("restricts statements without a condition on the organisation to its own rows", () =>
    Effect.gen(function* () {
      const [own, other] = [yield* aMember, yield* aMember]
      const client = yield* PgClient
      const { schema } = client
      const everyRow = "where $1::uuid is not null"
      const read = reading<ReadonlyArray<string>>(
        client,
        "wrong",
        `select json_agg(id)::text from ${schema}.site ${everyRow}`
      )
      assert.deepStrictEqual(yield* read(own.organisation.id), [own.site.id])
      const rename = writing(
        client,
        "wrong",
        sql`${mainChange} update ${table("site")} set site_name = 'taken' ${everyRow}`
      )
      yield* rename(own.organisation.id)
      const remove = writing(client, "wrong", sql`${mainChange} delete from ${table("site")} ${everyRow}`)
      yield* remove(own.organisation.id)
      const sites = yield* siteMethods
      assert.deepStrictEqual(yield* sites.findById(own.organisation.id, own.site.id), Option.none())
      const kept = yield* sites.findById(other.organisation.id, other.site.id)
      assert.strictEqual(Option.getOrThrow(kept).siteName, other.site.siteName)
    }).pipe((effect) => Effect.flatMap(asBoundRole(), (ports) => Effect.provide(effect, ports)))
  )

  it.live("refuses writes for another organisation", () =>
    Effect.gen(function* () {
      const [own, other] = [yield* aMember, yield* aMember]
      const client = yield* PgClient
      const text = sql`${mainChange} insert into ${table("portfolio")} select $2::uuid, $3::uuid, 'x', now(), now(), 1 where $1::uuid is not null`
      const insert = writing(client, "wrong", text)
      const error = yield* Effect.flip(insert(own.organisation.id, other.organisation.id, own.site.id))
      assert.include(String(error.cause), "row-level security")
      yield* insert(own.organisation.id, own.organisation.id, own.site.id)
    }).pipe((effect) => Effect.flatMap(asBoundRole(), (ports) => Effect.provide(effect, ports)))
  )

  it.live("shows no rows to a client without the option", () =>
    Effect.gen(function* () {
      const { run, schema } = yield* PgClient
      const read = run({ operation: "wrong", text: `select count(*)::int from ${schema}.api_key` })
      assert.deepStrictEqual(yield* read, [[0]])
      const organisation = anOrganisation()
      yield* (yield* OrganisationRepository).insert(organisation)
      const site = aSite({ organisationId: organisation.id })
      const error = yield* Effect.flip((yield* siteMethods).insert(organisation.id, site))
      assert.strictEqual(error._tag, "RepositoryError")
    }).pipe((effect) => Effect.flatMap(asBoundRole(false), (ports) => Effect.provide(effect, ports)))
  )

  it.live("covers every table that belongs to organisations", () =>
    Effect.gen(function* () {
      const { run, schema } = yield* PgClient
      const text = `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = to_regnamespace($1::text) and c.relkind = 'r' and not c.relrowsecurity
          and a.attname = 'organisation_id'`
      assert.deepStrictEqual(yield* run({ operation: "test", text, parameters: [schema] }), [])
      // Policies across organisations let a look-up or a listing read; none lets it write.
      const policies = `select c.relname, string_agg(p.policyname || ' ' || p.cmd || ' ' || p.qual, '; ' order by p.policyname)
        from pg_class c join pg_attribute a on a.attrelid = c.oid
        left join pg_policies p on p.schemaname = trim('"' from $1::text) and p.tablename = c.relname
          and p.permissive = 'PERMISSIVE'
        where c.relnamespace = to_regnamespace($1::text) and c.relkind = 'r' and a.attname = 'organisation_id'
        group by c.relname order by c.relname`
      const own =
        "own_organisation ALL (organisation_id = (NULLIF(current_setting('solar.organisation_id'::text, true), ''::text))::uuid)"
      const across =
        "across_organisations SELECT (current_setting('solar.across_organisations'::text, true) = 'on'::text)"
      assert.deepStrictEqual(yield* run({ operation: "test", text: policies, parameters: [schema] }), [
        ["api_key", `${across}; ${own}`],
        ["deleted_file", `${across}; ${own}`],
        ["document", `${across}; ${own}`],
        ["event", `${across}; ${own}`],
        ["event_sequence", `${across}; ${own}`],
        ["idempotency", `${across}; ${own}`],
        ["portfolio", own],
        ["requirement", `${across}; ${own}`],
        ["requirement_list", own],
        ["site", own],
        ["webhook", `${across}; ${own}`],
        ["webhook_delivery", `${across}; ${own}`]
      ])
    }).pipe((effect) => Effect.flatMap(asBoundRole(), (ports) => Effect.provide(effect, ports)))
  )
})

describe("the SQL for tables of an application", () => {
  it("is that of the core tables and policies by their readers", () => {
    const readers = ["own", "across", "all"] as const
    const tables = [{ name: "crew" }, ...readers.map((readers) => ({ name: `crew_${readers}`, readers }))]
    const further = rowLevelSecuritySql("solar", { tables })
      .split("\n")
      .filter((line) => line.includes("crew"))
    const made = (command: string) => further.filter((line) => line.startsWith(command))
    assert.strictEqual(made("alter table").length, 4)
    assert.strictEqual(made("create policy own_organisation").length, 4)
    assert.deepStrictEqual(
      made("create policy").filter((line) => !line.includes("own_organisation")),
      [
        `create policy across_organisations on "solar".crew_across for select using (current_setting('solar.across_organisations', true) = 'on');`,
        `create policy every_reader on "solar".crew_all for select using (true);`
      ]
    )
    assert.notInclude(rowLevelSecuritySql("solar"), "crew")
  })
})

describe("a statement with its scope", () => {
  it("is prepared under a name that follows from its text, and gets its parameters as constants", () => {
    const [first, other, again] = ["select '\\', $1", "select $1::text", "select '\\', $1"].map((text) =>
      boundExecution({ organisationId: "a'b\\" }, true, text, ["a'b\\", 2, null])
    )
    const name = /execute "(solar [0-9a-f]{40})" \( E'a''b\\\\', E'2',null\)$/.exec(first ?? "")?.[1] ?? ""
    assert.match(first ?? "", /^set local solar.organisation_id = E'a''b\\\\';\ndo E'begin if not exists/)
    assert.strictEqual(first?.split(name).length, 4)
    assert.strictEqual(again, first)
    assert.notInclude(other, name)
    assert.strictEqual(boundText("acrossOrganisations", true, "x"), "set local solar.across_organisations = 'on';\nx")
  })

  it("is limited to portfolios in what it writes, and in what it reads when it only reads", () => {
    const own = "set local solar.organisation_id = E'a';\n"
    const ids = `= E'{"b","c"}';\n`
    const written = `set local solar.written_portfolio_ids ${ids}`
    const scope = { organisationId: "a", portfolioIds: ["b", "c"] }
    const texts = [
      [scope, true, `${own}set local solar.read_portfolio_ids ${ids}${written}x`],
      [scope, false, `${own}${written}x`],
      [{ ...scope, portfolioIds: [] }, false, `${own}set local solar.written_portfolio_ids = E'{}';\nx`],
      [{ ...scope, portfolioIds: null }, true, `${own}x`]
    ] as const
    for (const [scope, readOnly, text] of texts) {
      assert.strictEqual(boundText(scope, readOnly, "x"), text)
      assert.strictEqual(settingsOf(scope, readOnly), text.split("\n").length - 1)
    }
  })
})
