/**
 * Plans of the statements of the adapter.
 */
import { PgClient, type PgParameter, type PgRows, PgText } from "@solar-sites/adapter-postgres"
import { Effect } from "effect"
import { scopeOf } from "../../src/client/PgStatement.ts"
import { identified, namesIn } from "../../src/client/PgText.ts"
import { textIn, withConstants } from "../Texts.ts"

/** A statement and the parameters of one execution. */
export interface Recorded {
  readonly operation: string
  readonly text: PgText | string
  readonly parameters: ReadonlyArray<PgParameter>
}

/** A client that records its statements, each text with its parameters once. A batch is recorded with one item. */
export const recording = (client: PgClient["Service"]) => {
  const recorded = new Map<string, Recorded>()
  const record = (statement: Recorded) =>
    recorded.set([statement.operation, textIn("", statement.text), ...statement.parameters].join(" "), statement)
  const service = PgClient.of({
    ...client,
    run: (statement) => {
      const { operation, parameters = [], text } = statement
      record({ operation, text, parameters })
      return client.run(statement)
    },
    batch: (statement) => {
      const { operation, parameters, text } = statement
      const run = client.batch(statement)
      return (reach, group, item) => {
        record({ operation, text, parameters: [scopeOf(reach).organisationId, ...parameters([item])] })
        return run(reach, group, item)
      }
    }
  })
  return { service, recorded: () => [...recorded.values()] }
}

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Index Cond"?: string
  readonly Plans?: ReadonlyArray<Node>
}

const nodesOf = (node: Node): ReadonlyArray<Node> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** Indexes without the organisation, for port methods that cannot know it. */
const acrossOrganisations = new Set(["organisation_pkey", "api_key_digest", "api_key_id"])

const faultOf = (node: Node): ReadonlyArray<string> => {
  const { "Index Cond": condition = "", "Index Name": index, "Node Type": type, "Relation Name": table } = node
  if (type === "Seq Scan") return [`reads all of ${table}`]
  if (index === undefined) return []
  if (index === "organisation_pkey") return []
  if (acrossOrganisations.has(index)) return condition === "" ? [`reads all of ${index}`] : []
  return condition.includes("organisation_id") ? [] : [`reads ${index} across organisations: ${condition}`]
}

interface Plan extends Node {
  readonly "Total Cost": number
}

const planOf = (rows: PgRows): Plan => {
  const plans = rows[0]?.[0]
  if (!Array.isArray(plans)) throw new Error("no plan")
  return plans[0].Plan
}

// The server adds the cost of planning to a custom plan. This is more than it adds for any statement here.
const planning = 50

const explain = ({ run }: PgClient["Service"], settings: string, explained: string) =>
  Effect.map(run({ operation: "explain", text: `explain (${settings}) ${explained}` }), planOf)

const sentAs = (schema: string, { parameters, text }: Recorded): string =>
  identified(typeof text === "string" ? new PgText([text]) : text, parameters.length + 1, namesIn(schema))

/** Names of the indexes that a statement reads with these parameters. */
export const indexesOf = (client: PgClient["Service"], statement: Recorded) => {
  const constant = withConstants(sentAs(client.schema, statement), [...statement.parameters, "id"])
  return Effect.map(explain(client, "format json", constant), (plan) => [
    ...new Set(nodesOf(plan).flatMap((node) => node["Index Name"] ?? []))
  ])
}

/**
 * Faults of the plans of a statement: of the plan for these parameters, and of the
 * generic plan, which the server takes when it is not dearer.
 */
export const faultsOf = Effect.fnUntraced(function* (
  client: PgClient["Service"],
  statement: Recorded,
  withGeneric: boolean
) {
  const { operation, parameters, text } = statement
  const sent = sentAs(client.schema, statement)
  const custom = yield* explain(client, "format json", withConstants(sent, [...parameters, "id"]))
  const generic = withGeneric ? yield* explain(client, "format json, generic_plan", sent) : custom
  const plans = generic["Total Cost"] <= custom["Total Cost"] + planning ? [custom, generic] : [custom]
  const faults = plans.flatMap((plan) => nodesOf(plan).flatMap(faultOf))
  return faults.map((fault) => `${operation} ${fault}:\n${textIn(client.schema, text)}`)
})
