/**
 * What a caller finds that is limited to portfolios (specification, section 17): an organisation that has these, their
 * sites and the documents of their sites alone.
 */
import { type Expected, refused } from "./Call.ts"
import type { Event, Organisation } from "./ModelState.ts"
import type { OperationName } from "./operations.ts"

/** Ids of portfolios; null is no limit. */
export type Limit = ReadonlyArray<string> | null

/** The visible ones of all records. A change of it is one of all. */
class Part<A> extends Map<string, A> {
  readonly #all: Map<string, A>

  constructor(all: Map<string, A>, isVisible: (record: A) => boolean) {
    super()
    this.#all = all
    for (const [id, record] of all) if (isVisible(record)) super.set(id, record)
  }

  override set(id: string, record: A): this {
    this.#all.set(id, record)
    return super.set(id, record)
  }

  override delete(id: string): boolean {
    return super.delete(id) && this.#all.delete(id)
  }
}

/** The organisation within a limit. Its other members are those of the whole one, and are changed there. */
export const within = (whole: Organisation, limit: Limit): Organisation => {
  if (limit === null) return whole
  const isIn = (portfolioId: string | null) => portfolioId !== null && limit.includes(portfolioId)
  const sites = new Part(whole.sites, ({ portfolioId }) => isIn(portfolioId))
  const { entries, version } = whole.requirements
  const parts = {
    sites,
    portfolios: new Part(whole.portfolios, ({ id }) => isIn(id)),
    documents: new Part(whole.documents, ({ siteId }) => sites.has(siteId)),
    requirements: { version, entries: entries.filter((one) => one.portfolioId === null || isIn(one.portfolioId)) }
  }
  return new Proxy(whole, { get: (target, name) => Reflect.get(name in parts ? parts : target, name) })
}

/** Ids of the records that a limited caller does not find. */
export const idsOutside = (
  whole: Organisation,
  limit: Limit,
  kinds: ReadonlyArray<"sites" | "portfolios" | "documents"> = ["sites", "portfolios", "documents"]
): ReadonlyArray<string> => {
  const visible = within(whole, limit)
  return kinds.flatMap((kind) => [...whole[kind].keys()].filter((id) => !visible[kind].has(id)))
}

/** A limit without portfolios that were deleted. */
export const presentIn = ({ portfolios }: Organisation, limit: Limit): Limit =>
  limit === null ? null : limit.filter((id) => portfolios.has(id))

/** The portfolio that a site is in; that of a deleted site is its last one. */
const portfolioOf = ({ events, sites }: Organisation, siteId: string): unknown =>
  sites.has(siteId)
    ? sites.get(siteId)?.portfolioId
    : events.find(({ subject, type }) => type === "site.deleted" && subject.id === siteId)?.changes["portfolioId"]?.from

/** Events of portfolios, and of sites by their present portfolio. They name no other portfolio. */
export const eventsWithin = (whole: Organisation, limit: Limit): ReadonlyArray<Event> => {
  const present = presentIn(whole, limit)
  if (present === null) return whole.events
  const isIn = (id: unknown) => present.some((one) => one === id)
  return whole.events.filter(({ siteId, subject }) =>
    siteId === null ? subject.type === "portfolio" && isIn(subject.id) : isIn(portfolioOf(whole, siteId))
  )
}

/** The changes of an event as a limited caller reads them. */
export const changesWithin = (whole: Organisation, limit: Limit, changes: Event["changes"]): Event["changes"] => {
  const present = presentIn(whole, limit)
  const { portfolioId, ...others } = changes
  if (present === null || portfolioId === undefined) return changes
  const shown = (id: unknown) => (present.some((one) => one === id) ? id : null)
  return { ...others, portfolioId: { from: shown(portfolioId.from), to: shown(portfolioId.to) } }
}

export const portfolioRequired = (pointers?: ReadonlyArray<string>): Expected =>
  refused(403, "portfolio_required", pointers)

const limited: ReadonlyArray<OperationName> = [
  ...(["createPortfolios", "updatePortfolio", "deletePortfolio", "replaceDocumentRequirements"] as const),
  ...(["listWebhooks", "createWebhook", "getWebhook", "updateWebhook", "deleteWebhook"] as const),
  ...(["rotateWebhookSecret", "testWebhook", "listWebhookDeliveries", "retryWebhookDelivery"] as const)
]

/** The refusal of every call of an operation by a limited caller. */
export const refusalOfLimited = (operation: OperationName, limit: Limit): Expected | undefined => {
  if (limit === null) return undefined
  if (operation === "removeSitesFromPortfolio") return portfolioRequired()
  return limited.includes(operation) ? refused(403, "caller_limited") : undefined
}
