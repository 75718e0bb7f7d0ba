import { describe, expect, it } from "@effect/vitest"
import { type PgClient, type PgRows, type PgStatement, sql, statement, table } from "@solar-sites/adapter-postgres"
import { Effect } from "effect"
import { namesIn, rendered } from "../src/client/PgText.ts"

const organisationId = "0190a5b4-0000-7000-8000-000000000001"

interface Given {
  readonly organisationId: string
  readonly id: string
  readonly limit: number | null
}

/** A client that keeps the statements it was given. */
const makeClient = (answer: PgRows = []) => {
  const sent: Array<PgStatement> = []
  const client: PgClient["Service"] = {
    schema: "solar",
    run: (statement) =>
      Effect.sync(() => {
        sent.push(statement)
        return answer
      }),
    batch: () => () => Effect.die("not used")
  }
  return { client, sent }
}

const textOf = ({ text }: PgStatement) => (typeof text === "string" ? text : rendered(text.parts, namesIn("solar")))

const given: Given = { organisationId, id: "a", limit: null }

describe("a statement with parameters by name", () => {
  it.effect("numbers each name once, and sends the values in this order", () =>
    Effect.gen(function* () {
      const { client, sent } = makeClient([['{"count":3}']])
      const count = statement<{ count: number }, Given>(
        client,
        "Things.count",
        ({ id, limit, organisationId: owner }) =>
          sql`select from ${table("thing")} where owner = ${owner} and id = ${id} limit ${limit}, ${id}`
      )
      expect(yield* count(given)).toEqual({ count: 3 })
      expect(sent.map(textOf)).toEqual(["select from solar.thing where owner = $3 and id = $1 limit $2, $1"])
      expect(sent[0]).toMatchObject({ operation: "Things.count", parameters: ["a", null, organisationId] })
    })
  )

  it.effect("sees the rows of its organisation alone, or of some portfolios of it", () =>
    Effect.gen(function* () {
      const { client, sent } = makeClient()
      const read = statement<never, Given>(client, "Things.read", ({ organisationId: owner }) => sql`select ${owner}`, {
        repeatable: true
      })
      expect(yield* read(given)).toBeNull()
      yield* read(given, ["p"])
      expect(sent).toMatchObject([
        { readOnly: true, scope: { organisationId, portfolioIds: null } },
        { readOnly: true, scope: { organisationId, portfolioIds: ["p"] } }
      ])
    })
  )

  it.effect("sees no protected row without an organisation, and those of all only where it says so", () =>
    Effect.gen(function* () {
      const { client, sent } = makeClient()
      yield* statement<never, { id: string }>(client, "Things.add", ({ id }) => sql`insert ${id}`)({ id: "a" })
      yield* statement<never, Given>(client, "Things.find", ({ id }) => sql`select ${id}`, { across: true })(given)
      expect(sent).toMatchObject([
        { readOnly: false, scope: "none" },
        { readOnly: true, scope: "acrossOrganisations" }
      ])
    })
  )

  it("refuses parameters that are taken as a rest, which would be none", () => {
    const build = () =>
      statement<never, Given>(makeClient().client, "Things.read", ({ id, ...others }) => sql`${id}${others.limit}`)
    expect(build).toThrow("named one by one")
  })
})
