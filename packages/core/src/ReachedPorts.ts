/**
 * The ports of rule services, within the reach of the current caller. It is applied here, in one place: a rule service
 * names the organisation of its caller, and finds what the caller reaches.
 */
import { type Context, Effect, Layer } from "effect"
import { type LimitedReach, type Reach, reachIn, reachParts } from "./caller/Reach.ts"
import { DocumentRepository } from "./documents/DocumentRepository.ts"
import type { Event } from "./events/Event.ts"
import { eventWithin } from "./events/EventPages.ts"
import { EventRepository } from "./events/EventRepository.ts"
import type { Page } from "./lists/Page.ts"
import type { OrganisationId } from "./organisations/Organisation.ts"
import { PortfolioRepository } from "./portfolios/PortfolioRepository.ts"
import { Records } from "./records/Records.ts"
import { recordsIn } from "./records/RecordsWithin.ts"
import { RequirementRepository } from "./requirements/RequirementRepository.ts"
import { presentPortfolios } from "./sites/PresentPortfolios.ts"
import { SiteRepository } from "./sites/SiteRepository.ts"

type Ports =
  | Records
  | SiteRepository
  | PortfolioRepository
  | DocumentRepository
  | RequirementRepository
  | EventRepository

/** The method, within the reach of the caller. */
const reached =
  <Rest extends ReadonlyArray<unknown>, A, E>(method: (reach: Reach, ...rest: Rest) => Effect.Effect<A, E>) =>
  (reach: Reach, ...rest: Rest): Effect.Effect<A, E> =>
    Effect.flatMap(reachIn(reachParts(reach).organisationId), (own) => method(own, ...rest))

/** A layer of one port, over the same port of an adapter. Each method of the port has to be given. */
const over = <Port extends Ports, Service>(
  port: Context.Key<Port, Service>,
  make: (whole: Service) => Service
): Layer.Layer<Port, never, Port> => Layer.effect(port, Effect.map(port, make))

const records = over(Records, (whole) => {
  const within = (organisationId: OrganisationId) =>
    Effect.map(reachIn(organisationId), (reach) => recordsIn(whole, reach))
  return {
    load: (operation, organisationId, ...rest) =>
      Effect.flatMap(within(organisationId), ({ load }) => load(operation, organisationId, ...rest)),
    commit: (operation, organisationId, ...rest) =>
      Effect.flatMap(within(organisationId), ({ commit }) => commit(operation, organisationId, ...rest)),
    list: (operation, organisationId, ...rest) =>
      Effect.flatMap(within(organisationId), ({ list }) => list(operation, organisationId, ...rest))
  }
})

const sites = over(SiteRepository, (whole) => ({
  saveMany: reached(whole.saveMany),
  idsByExternalId: reached(whole.idsByExternalId),
  list: reached(whole.list),
  clusters: reached(whole.clusters),
  delete: reached(whole.delete)
}))

const portfolios = over(PortfolioRepository, (whole) => ({
  list: reached(whole.list),
  listWithSites: reached(whole.listWithSites),
  moveSites: reached(whole.moveSites),
  // No caller that is limited to portfolios may delete one.
  delete: whole.delete
}))

const documents = over(DocumentRepository, (whole) => ({
  list: reached(whole.list),
  listRevisions: reached(whole.listRevisions)
}))

const coverage = over(RequirementRepository, (whole) => ({
  listCoverage: reached(whole.listCoverage),
  summariseCoverage: reached(whole.summariseCoverage)
}))

/** The reach without deleted portfolios. No limited caller sees events of these any more. */
const presentReach = (whole: Records["Service"], { organisationId, portfolioIds }: LimitedReach) =>
  Effect.map(presentPortfolios(whole, "EventRepository.list", organisationId, portfolioIds), (present) => ({
    organisationId,
    portfolioIds: portfolioIds.filter((id) => present.has(id))
  }))

const events = Layer.effect(
  EventRepository,
  Effect.gen(function* () {
    const whole = yield* Records
    const { list, ...others } = yield* EventRepository
    return EventRepository.of({
      ...others,
      list: Effect.fnUntraced(function* (reach, ...rest) {
        const own = yield* reachIn(reachParts(reach).organisationId)
        if (typeof own === "string") return yield* list(own, ...rest)
        const present = yield* presentReach(whole, own)
        return pageWithin(present, yield* list(present, ...rest))
      })
    })
  })
)

const pageWithin = (reach: LimitedReach, page: Page<Event>): Page<Event> => {
  const items = page.items.map((event) => eventWithin(reach, event))
  return items.every((event, index) => event === page.items[index]) ? page : { items, hasMore: page.hasMore }
}

/** The ports of an adapter, within the reach of the current caller. */
export const layer: Layer.Layer<Ports, never, Ports> = Layer.mergeAll(
  records,
  sites,
  portfolios,
  documents,
  coverage,
  events
)
