/**
 * What the tests of announced validity share: an organisation over memory, and servers that announce.
 */
import {
  CalendarDate,
  type Document,
  type DocumentId,
  type DocumentRequirement,
  EventRepository,
  eventOrigins,
  OrganisationRepository,
  type PortfolioId,
  type RepositoryError,
  requirementListRecords,
  type SiteId
} from "@solar-sites/core"
import {
  aDocument,
  anOrganisation,
  aPortfolio,
  aRequirement,
  aSite,
  documentMethods,
  MemoryAdapters,
  portfolioMethods,
  siteMethods
} from "@solar-sites/testing"
import { Clock, Context, DateTime, Duration, Effect, Exit, Layer, Scope } from "effect"
import * as TestClock from "effect/testing/TestClock"
import * as ValidityAnnouncer from "../../src/requirements/ValidityAnnouncer.ts"

export const day = (text: string): CalendarDate => CalendarDate.make(text)

type Members = Partial<Pick<Document, "documentType" | "validFrom" | "validUntil" | "replaces" | "filename">>

const tickingTime = Duration.hours(1)

/** Stands at 2026-06-01T09:00Z. A longer advance ticks for an hour; then each timer that is due fires once, at its end. */
const makeJumpingClock = Effect.gen(function* () {
  const built = yield* Layer.build(TestClock.layer({ warningDelay: Duration.infinity }))
  const clock = yield* Effect.provideContext(TestClock.testClockWith(Effect.succeed), built)
  yield* clock.setTime(Date.parse("2026-06-01T09:00:00Z"))
  let suspendedUntil = 0
  const sleep = (duration: Duration.Duration) =>
    Effect.suspend(() => {
      const left = Duration.millis(Math.max(0, suspendedUntil - clock.currentTimeMillisUnsafe()))
      return clock.sleep(Duration.max(duration, left))
    })
  const advance = Effect.fnUntraced(function* (input: Duration.Input) {
    const duration = Duration.fromInputUnsafe(input)
    yield* clock.adjust(Duration.min(duration, tickingTime))
    if (Duration.isLessThanOrEqualTo(duration, tickingTime)) return
    const rest = Duration.subtract(duration, tickingTime)
    suspendedUntil = clock.currentTimeMillisUnsafe() + Duration.toMillis(rest)
    yield* clock.adjust(rest)
  })
  const service: TestClock.TestClock = { ...clock, sleep }
  return { context: Context.merge(built, Context.make(Clock.Clock, service)), advance }
})

const clockAhead = (clock: Clock.Clock, hours: number): Clock.Clock => {
  const millis = hours * 3_600_000
  return new Proxy(clock, {
    get: (target, key) => {
      if (key === "currentTimeMillisUnsafe") return () => target.currentTimeMillisUnsafe() + millis
      if (key === "currentTimeMillis") return Effect.map(target.currentTimeMillis, (now) => now + millis)
      const member = Reflect.get(target, key)
      return typeof member === "function" ? member.bind(target) : member
    }
  })
}

const sceneOver = (advance: (duration: `${number} ${"minutes" | "hours" | "days"}`) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const [documents, sites, portfolios] = [yield* documentMethods, yield* siteMethods, yield* portfolioMethods]
    const [organisations, requirements, events] = [
      yield* OrganisationRepository,
      yield* requirementListRecords,
      yield* EventRepository
    ]
    const originOf = yield* eventOrigins
    const context = yield* Effect.context<Layer.Success<typeof MemoryAdapters.layer>>()
    const { id: organisationId } = anOrganisation()
    yield* organisations.insert({ id: organisationId, name: "Sunfield Energy", status: "active" })
    const options = Effect.map(DateTime.now, (at) => ({ at }))

    const addSite = (portfolioId: PortfolioId | null = null) => {
      const site = aSite({ organisationId, portfolioId })
      return Effect.as(sites.insert(organisationId, site), site.id)
    }
    const addPortfolio = Effect.suspend(() => {
      const portfolio = aPortfolio({ organisationId })
      return Effect.as(portfolios.insertMany(organisationId, [portfolio]), portfolio.id)
    })

    /** Stores a document and its file. */
    const upload = Effect.fnUntraced(function* (siteId: SiteId, members: Members) {
      const document = aDocument({ organisationId, siteId, ...members })
      const at = yield* DateTime.now
      yield* documents.insertMany(organisationId, siteId, [document], DateTime.add(at, { minutes: 1 }))
      yield* documents.step(organisationId, document.id, { to: "uploaded" }, { at })
      return document.id
    })

    /** Starts a server whose clock is so many hours ahead. It announces until it is stopped. */
    const start = Effect.fnUntraced(function* (hoursAhead = 0) {
      const scope = yield* Scope.make()
      const clock = clockAhead(yield* Clock.Clock, hoursAhead)
      yield* Layer.buildWithScope(Layer.fresh(ValidityAnnouncer.layerBackground), scope).pipe(
        Effect.provideContext(context),
        Effect.provideService(Clock.Clock, clock)
      )
      return Scope.close(scope, Exit.void)
    })

    /** The events about the end of validity, as `expired insurance.pdf`. */
    const announced = Effect.map(
      events.list(
        organisationId,
        { type: ["document.expiring", "document.expired"] },
        { after: null, limit: 1_000, order: "asc" }
      ),
      ({ items }) => items.map(({ subject, type }) => `${type.replace("document.", "")} ${subject.name}`)
    )

    return {
      organisationId,
      addPortfolio,
      addSite,
      advance,
      announced,
      documents,
      events,
      removePortfolio: (id: PortfolioId) => Effect.flatMap(options, (at) => portfolios.delete(organisationId, id, at)),
      start,
      upload,
      change: (id: DocumentId, changes: Members) =>
        Effect.flatMap(options, (at) => documents.update(organisationId, id, changes, at)),
      remove: (id: DocumentId) => Effect.flatMap(options, (at) => documents.delete(organisationId, id, at)),
      reject: (id: DocumentId) =>
        Effect.flatMap(options, (at) => documents.step(organisationId, id, { to: "failed", failureReason: "old" }, at)),
      move: (siteId: SiteId, portfolioId: PortfolioId | null) =>
        Effect.flatMap(options, (at) => sites.update(organisationId, siteId, { portfolioId }, at)),
      require: (...list: ReadonlyArray<Partial<DocumentRequirement>>) =>
        Effect.flatMap(options, (at) => requirements.replace(organisationId, list.map(aRequirement), at)),
      setStatus: (status: "active" | "inactive") =>
        Effect.flatMap(originOf(organisationId), (origin) => organisations.update(organisationId, { status }, origin))
    }
  })

export type ValidityScene = Effect.Success<ReturnType<typeof sceneOver>>

/** Runs a test at 2026-06-01T09:00Z. A longer advance passes like the time of a machine that is suspended. */
export const inScene = <A, E>(
  test: (scene: ValidityScene) => Effect.Effect<A, E, Scope.Scope>
): Effect.Effect<A, E | RepositoryError> =>
  Effect.gen(function* () {
    const clock = yield* makeJumpingClock
    return yield* sceneOver(clock.advance).pipe(
      Effect.flatMap(test),
      Effect.provide(MemoryAdapters.layer),
      Effect.provideContext(clock.context)
    )
  }).pipe(Effect.scoped)
