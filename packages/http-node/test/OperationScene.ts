/**
 * A scene for calls of every operation, and the calls that follow from rows and from the examples of the
 * contract.
 */
import {
  type ApiScope,
  DocumentId,
  type Operation,
  operations,
  PortfolioId,
  SiteId,
  type SolarSitesOperations,
  WebhookDeliveryId,
  WebhookId
} from "@solar-sites/core"
import { SolarSitesHarness } from "@solar-sites/testing"
import { Option, Schema } from "effect"
import { exampleDocument, examplePortfolio, exampleSite } from "../src/contract/Examples.ts"
import { endpoints } from "./Documented.ts"

export const newSite = { siteName: "Long Meadow", capacity: 1.2, unit: "MWp" } as const
export const newWebhook = { url: "https://example.com/events", events: ["site.*", "*"] } as const
const file = { filename: "plan.txt", mimeType: "text/plain" }

export const unknown = "01890000-0000-7000-8000-000000000000"
export const invalid = "../portfolios"

/** A site in a portfolio with two documents, a site without, and a webhook with a delivery. */
export const prepare = async (
  { documents, portfolios, sites, webhooks }: SolarSitesOperations,
  { upload }: SolarSitesHarness.Harness
) => {
  const portfolio = await portfolios.create({ name: "South" })
  const site = await sites.create({ ...newSite, portfolioId: portfolio.id, siteManager: { name: "Ada" } })
  const single = await sites.create({ ...newSite, siteName: "Short Meadow" })
  const { results } = await documents.issueUploads({ siteId: site.id, fileType: "documents", files: [file, file] })
  const [pending, uploaded] = results
  if (pending?.success !== true || uploaded?.success !== true) throw new Error("no address was issued")
  await upload(uploaded.uploadUrl, new TextEncoder().encode("as built"))
  const webhook = await webhooks.create(newWebhook)
  const delivery = await webhooks.test(webhook.id)
  return {
    webhook: webhook.id,
    delivery: delivery.id,
    site: site.id,
    single: single.id,
    portfolio: portfolio.id,
    pending: pending.documentId,
    uploaded: uploaded.documentId
  }
}

export type Ids = Awaited<ReturnType<typeof prepare>>

/** The scene of a new organisation, made by a caller with all scopes, by default in a memory of its own. */
export const makeScene = async (shared?: SolarSitesHarness.Harness) => {
  const harness = shared ?? (await SolarSitesHarness.make())
  const owner = await harness.createOrganisation("Sunfield Energy")
  const ids = await prepare(harness.solarSites.as(owner.caller), harness)
  const keyWith = async (scopes: ReadonlyArray<ApiScope>) =>
    (await harness.solarSites.as(owner.caller).apiKeys.create({ name: "scoped", scopes })).secret
  return { harness, ids, keyWith }
}

/** Calls of one method. */
export type Calls<Method> = ReadonlyArray<(method: Method, ids: Ids) => Promise<unknown>>

/** Calls by the methods of a group. */
export type CallsOf<Group extends keyof SolarSitesOperations> = {
  readonly [Name in keyof SolarSitesOperations[Group]]?: Calls<SolarSitesOperations[Group][Name]>
}

/** A method by its name, which only the table of operations knows. */
export const call = (client: object, { group, method }: Pick<Row, "group" | "method">, args: ReadonlyArray<unknown>) =>
  Reflect.get(Reflect.get(client, group), method)(...args)

export interface Row {
  readonly group: string
  readonly method: string
  readonly name: string
  readonly row: Operation
}

/** The rows of operations that library and client have in common. */
export const rows: ReadonlyArray<Row> = Object.entries<Readonly<Record<string, Operation>>>(operations).flatMap(
  ([group, methods]) =>
    Object.entries(methods)
      .filter(([, { kind }]) => kind !== "stream")
      .map(([method, row]) => ({ group, method, name: `${group}.${method}`, row }))
)

/** The request body in the example of an operation. */
const exampleBody = ({ name }: Row): unknown =>
  endpoints.find((endpoint) => endpoint.name === name.replace("createMany", "create"))?.request

/** Only a pending document gets a new address. */
const idsOf = ({ name }: Row, { delivery, pending, portfolio, site, uploaded, webhook }: Ids) =>
  new Map<unknown, string>([
    [SiteId, site],
    [PortfolioId, portfolio],
    [DocumentId, name === "documents.reissueUpload" ? pending : uploaded],
    [WebhookId, webhook],
    [WebhookDeliveryId, delivery]
  ])

/** The ids of the examples. */
export const exampleIds: Ids = {
  site: exampleSite.id,
  single: exampleSite.id,
  portfolio: examplePortfolio.id,
  pending: exampleDocument.id,
  uploaded: exampleDocument.id,
  webhook: unknown,
  delivery: unknown
}

const inScene = (example: unknown, { portfolio, site, uploaded }: Ids): unknown =>
  JSON.parse(
    JSON.stringify(example ?? null)
      .replaceAll(exampleSite.id, site)
      .replaceAll(examplePortfolio.id, portfolio)
      .replaceAll(exampleDocument.id, uploaded)
  )

const fits = (input: Schema.ConstraintDecoder<unknown>, value: unknown): boolean =>
  Option.isSome(Schema.decodeUnknownOption(input, { onExcessProperty: "error" })(value))

/** The arguments of the example of an operation: ids of the scene, then its input. */
export const exampleArguments = (row: Row, ids: Ids): ReadonlyArray<unknown> => {
  const { input, kind, names = [] } = row.row
  const named = names.map(({ schema }) => idsOf(row, ids).get(schema))
  if (kind !== "write" || input === undefined) return named
  // The library takes what the body of some endpoints wraps, such as a list of ids.
  const body = inScene(exampleBody(row), ids)
  const wrapped = Object.values(Object(body))
  return [...named, [body, ...wrapped, ...wrapped.flat()].find((candidate) => fits(input, candidate))]
}

/** An input that is refused with the same faults everywhere; none where the body of the endpoint wraps it. */
export const wrongInput = (row: Row): object | undefined => {
  const { input, kind } = row.row
  if (input === undefined) return undefined
  if (kind === "write") return fits(input, exampleBody(row)) ? { note: 1, siteName: 1 } : undefined
  return "fields" in input && "limit" in Object(input.fields) ? { limit: 0 } : undefined
}
