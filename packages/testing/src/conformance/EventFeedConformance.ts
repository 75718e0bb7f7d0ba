/**
 * The feed of an `EventRepository`: order, conditions, pages, isolation, readers beside writers.
 */

import {
  Caller,
  CurrentCaller,
  type Event,
  type EventConditions,
  EventRepository,
  eventTypesIn,
  type OrganisationId,
  type Page
} from "@solar-sites/core"
import { Clock, DateTime, Effect, Fiber } from "effect"
import { anOrganisationId, aPortfolio, aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { asCallerOf, type EventPorts, storedEvents } from "./EventSetup.ts"
import { chunksOf } from "./Expectations.ts"
import { siteMethods } from "./Methods.ts"
import { changedAt, insertOrganisation, insertPortfolio, insertSite, secondsBefore } from "./Setup.ts"
import { inBothZones } from "./TimeZone.ts"

/** Runs an effect at an instant, as its clock says. */
const at =
  (instant: DateTime.Utc) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.clockWith((clock) =>
      Effect.provideService(
        effect,
        Clock.Clock,
        Object.create(clock, { currentTimeMillisUnsafe: { value: () => instant.epochMilliseconds } })
      )
    )

const seconds = (count: number) => DateTime.add(changedAt, { seconds: count })

/** Events of several types, subjects, callers and instants. */
const filled = Effect.gen(function* () {
  const sites = yield* siteMethods
  const organisationId = yield* insertOrganisation()
  const portfolio = aPortfolio({ organisationId })
  yield* at(seconds(0))(insertPortfolio(organisationId, portfolio))
  const [first, second] = [aSite({ organisationId }), aSite({ organisationId, portfolioId: portfolio.id })]
  const byKey = asCallerOf(organisationId)
  const created = byKey(sites.insert(organisationId, first))
  yield* at(seconds(10))(created.ran)
  yield* at(seconds(20))(sites.insert(organisationId, second))
  const renamed = byKey(sites.update(organisationId, first.id, { siteName: "Renamed" }, { at: changedAt }))
  yield* at(seconds(20))(renamed.ran)
  yield* at(seconds(30))(sites.update(organisationId, first.id, { capacity: 7 }, { at: changedAt }))
  yield* at(seconds(40))(sites.delete(organisationId, second.id))
  return { organisationId, portfolio, first, second, keys: [created.origin.actor, renamed.origin.actor] }
})

const meets =
  ({ actorId, from, siteId, subjectId, to, type }: EventConditions) =>
  (event: Event): boolean =>
    (type === undefined || eventTypesIn(type).includes(event.type)) &&
    (subjectId === undefined || event.subject.id === subjectId) &&
    (siteId === undefined || event.siteId === siteId) &&
    (actorId === undefined || event.actor.userId === actorId || event.actor.apiKeyId === actorId.toLowerCase()) &&
    (from === undefined || event.occurredAt.epochMilliseconds >= from.epochMilliseconds) &&
    (to === undefined || event.occurredAt.epochMilliseconds < to.epochMilliseconds)

/** All pages of these conditions. */
const pagesOf = Effect.fnUntraced(function* (
  organisationId: OrganisationId,
  conditions: EventConditions,
  order: "asc" | "desc",
  limit: number
) {
  const repository = yield* EventRepository
  const pages: Array<ReadonlyArray<Event>> = []
  let after: number | null = null
  while (true) {
    const page: Page<Event> = yield* repository.list(organisationId, conditions, { after, limit, order })
    pages.push(page.items)
    after = page.items.at(-1)?.sequence ?? after
    if (!page.hasMore) return pages
  }
})

export const eventFeedCases: ReadonlyArray<ConformanceCase<EventPorts>> = [
  {
    name: "lists the events that meet all conditions, in both orders, in pages of any size",
    check: Effect.gen(function* () {
      const { first, keys, organisationId, portfolio, second } = yield* filled
      yield* filled
      const all = yield* storedEvents(organisationId)
      assert.equal(all.length >= 6, true, "every change has an event")
      const everything = {}
      const conditions: ReadonlyArray<EventConditions> = [
        everything,
        { type: ["site.created"] },
        { type: ["site.*"] },
        { type: ["site.deleted", "site.created", "portfolio.*"] },
        { type: ["webhook.*"] },
        { subjectId: first.id },
        { subjectId: portfolio.id },
        { subjectId: aSite().id },
        { siteId: second.id },
        { siteId: portfolio.id },
        ...keys.flatMap(({ apiKeyId, userId }) => [{ actorId: apiKeyId }, { actorId: userId }]),
        ...keys.map(({ apiKeyId }) => ({ actorId: `${apiKeyId}`.toUpperCase() })),
        { actorId: "a stranger" },
        { actorId: aSite().id },
        { from: seconds(20) },
        { to: seconds(20) },
        { from: seconds(10), to: seconds(30) },
        { from: seconds(11), to: seconds(12) },
        { from: seconds(100) },
        { to: seconds(-100) },
        { siteId: first.id, type: ["site.updated"], actorId: keys[0]?.userId ?? "", from: seconds(5), to: seconds(35) },
        { subjectId: first.id, siteId: second.id }
      ]
      for (const condition of conditions) {
        const expected = all.filter(meets(condition))
        for (const order of ["asc", "desc"] as const) {
          const further = condition === everything ? [1, 3, expected.length + 1] : []
          for (const limit of new Set([...further, 2, Math.max(1, expected.length), 1_000])) {
            assert.deepEqual(
              yield* pagesOf(organisationId, condition, order, limit),
              chunksOf(order === "asc" ? expected : expected.toReversed(), limit),
              `pages of ${limit}, ${order}, for ${JSON.stringify(condition)}`
            )
          }
        }
      }
    })
  },
  ...inBothZones({
    name: "takes the time from the clock, and never lets it descend along the sequence",
    check: Effect.gen(function* () {
      const { organisationId } = yield* insertSite(yield* insertOrganisation())
      const instants = [seconds(0), secondsBefore(1), seconds(5), seconds(90_000), seconds(10)]
      for (const instant of instants) yield* at(instant)(insertSite(organisationId))
      const written = (yield* storedEvents(organisationId)).slice(-instants.length)
      // A clock that was ahead by more than an hour does not set the time of later events.
      const expected = [seconds(0), seconds(0), seconds(5), seconds(90_000), seconds(10)]
      assert.deepEqual(
        written.map(({ occurredAt }) => DateTime.formatIso(occurredAt)),
        expected.map(DateTime.formatIso)
      )
    })
  }),
  {
    name: "shows an organisation its own events only, where another one has the same ids",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const [own, other] = [yield* insertOrganisation(), yield* insertOrganisation()]
      const { id } = yield* insertSite(own)
      yield* insertSite(other, { id, siteName: "Theirs" })
      const before = yield* storedEvents(other)
      yield* sites.update(own, id, { siteName: "Mine" }, { at: changedAt })
      yield* sites.delete(own, id)
      assert.deepEqual(yield* storedEvents(other), before, "a change is an event of its own organisation")
      const kinds = ["site.created", "site.updated", "site.deleted"]
      for (const conditions of [{}, { subjectId: id }, { siteId: id }, { type: ["site.*" as const] }]) {
        const listed = (yield* pagesOf(own, conditions, "asc", 10)).flat()
        assert.deepEqual(
          listed.map(({ type }) => type),
          kinds,
          JSON.stringify(conditions)
        )
        assert.deepEqual((yield* pagesOf(other, conditions, "desc", 10)).flat(), before, JSON.stringify(conditions))
      }
    })
  },
  ...inBothZones({
    name: "finds instants among an organisation's own events, where another one has the same sequences",
    check: Effect.gen(function* () {
      const { list } = yield* EventRepository
      // Before and after the events of all other cases, and not in the order of their insertion.
      const years = [2201, 2001, 2301]
      const instantIn = (year: number) => DateTime.makeUnsafe(`${year}-01-01T00:00:00Z`)
      const organisations = yield* Effect.forEach(years, (year) =>
        at(instantIn(year))(
          Effect.tap(insertOrganisation(), (organisationId) =>
            Effect.forEach([1, 2, 3], () => insertPortfolio(organisationId))
          )
        )
      )
      for (const [index, year] of years.entries()) {
        const organisationId = organisations[index] ?? anOrganisationId()
        const all = yield* storedEvents(organisationId)
        const [before, after] = [instantIn(year - 1), instantIn(year + 1)]
        for (const [conditions, expected] of [
          [{ from: before }, all],
          [{ from: after }, []],
          [{ to: before }, []],
          [{ to: after }, all]
        ] as const) {
          const { items } = yield* list(organisationId, conditions, { after: null, limit: 10, order: "asc" })
          assert.deepEqual(items, expected, `events of ${year}: ${JSON.stringify(conditions)}`)
        }
      }
    })
  }),
  {
    name: "names no caller of another organisation as the actor",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const [own, other] = [yield* insertOrganisation(), yield* insertOrganisation()]
      const stranger = new Caller({ organisationId: other, userId: null, apiKeyId: null, keyPrefix: "sk_live_" })
      const site = aSite({ organisationId: own })
      yield* Effect.provideService(sites.insert(own, site), CurrentCaller, stranger)
      yield* Effect.provideService(sites.delete(own, site.id), CurrentCaller, stranger)
      for (const { actor } of (yield* storedEvents(own)).slice(-2)) {
        assert.deepEqual(actor, { userId: null, apiKeyId: null, keyPrefix: null })
      }
    })
  },
  {
    name: "misses nothing for a reader that goes on from its last event, while others write",
    check: Effect.gen(function* () {
      const repository = yield* EventRepository
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const write = Effect.fnUntraced(function* (writer: number) {
        const site = yield* insertSite(organisationId, { siteName: `Site ${writer}` })
        for (const capacity of [1, 2, 3]) yield* sites.update(organisationId, site.id, { capacity }, { at: changedAt })
        yield* sites.delete(organisationId, site.id)
      })
      const seen: Array<Event> = []
      const readOn = Effect.gen(function* () {
        const after = seen.at(-1)?.sequence ?? null
        const { items } = yield* repository.list(organisationId, {}, { after, limit: 3, order: "asc" })
        seen.push(...items)
        return items.length
      })
      const writers = yield* Effect.forEach(Array.from({ length: 8 }).keys(), write, { concurrency: "unbounded" }).pipe(
        Effect.forkChild
      )
      while (writers.pollUnsafe() === undefined) {
        yield* readOn
        yield* Effect.yieldNow
      }
      yield* Fiber.join(writers)
      while ((yield* readOn) > 0) {}
      const all = yield* storedEvents(organisationId)
      assert.deepEqual(
        seen.map(({ sequence }) => sequence),
        all.map(({ sequence }) => sequence),
        "the reader got each event once"
      )
    })
  }
]
