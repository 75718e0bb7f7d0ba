/**
 * Background job: writes `document.expiring` and `document.expired` (specification, section 16). Safe to run in
 * several instances: a commit expects the documents as they were loaded, so that each event is written once.
 */
import { DateTime, Duration, Effect, Layer, Metric, Option, Schedule } from "effect"
import { DocumentMaintenance } from "../documents/DocumentMaintenance.ts"
import type { EndingPosition } from "../documents/EndingDocuments.ts"
import { dayOf } from "../input/CalendarDate.ts"
import { OrganisationRepository } from "../operators/OrganisationRepository.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { Records } from "../records/Records.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import { announcementOf, endingOn } from "./Announcement.ts"
import { announcementRecords } from "./AnnouncementRecords.ts"
import { expiringDays } from "./RequirementPolicy.ts"
import { findsOfList, foundList } from "./RequirementRules.ts"

const interval = Duration.seconds(20)
/** Organisations with new work are found at least so often, also while others have a backlog. */
const longestTurn = Duration.seconds(20)

const organisationsPerPage = 1_000
const organisationsAtOnce = 2
/** Ending documents that one step examines. */
const documentsPerStep = 2_000
const documentsPerCommit = 100
/** The pause after a commit, as a multiple of its time: requests have the rest of both cores and of the database. */
const pausePerCommit = 19

const announced = Metric.counter("solar_sites_announced_documents", {
  description: "Events about the end of the validity of a document, by type"
})

/**
 * The examination of the ending documents of an organisation, page by page. `state` names the day and the last
 * event before it began.
 */
interface Scan {
  readonly state: string
  readonly position: EndingPosition | null
}

const makeTurn = Effect.gen(function* () {
  const maintenance = yield* DocumentMaintenance
  const organisations = yield* OrganisationRepository
  const records = yield* Records
  const { announce } = yield* announcementRecords

  /** Examinations under way. They go on where they are, so that every document is reached. */
  const scans = new Map<OrganisationId, Scan | null>()
  /**
   * The state at the last complete examination of an organisation. Every change that makes a document due writes an
   * event, so the next examination is on another day or after another event. An inactive organisation has no state.
   */
  const settled = new Map<OrganisationId, string>()

  /** Examines a page. Answers where to go on; null when nothing follows. */
  const step = Effect.fnUntraced(function* (
    organisationId: OrganisationId,
    scan: Scan | null
  ): Effect.fn.Return<Scan | null, RepositoryError> {
    const at = yield* DateTime.now
    const today = dayOf(at)
    const operation = "DocumentMaintenance.listEnding"
    const found = yield* records.load(operation, organisationId, findsOfList(organisationId), { lastSequence: true })
    const { state, position } = scan ?? { state: `${today} ${found.lastSequence}`, position: null }
    if (settled.get(organisationId) === state) return null
    const organisation = yield* organisations.findById(organisationId)
    if (!Option.exists(organisation, ({ status }) => status === "active")) return null
    const { requirements } = foundList(found, organisationId)
    const page = { after: position, limit: documentsPerStep }
    const { hasMore, items } = yield* maintenance.listEnding(organisationId, endingOn(today, requirements), page)
    const due = items.filter((document) => announcementOf(document, requirements, today) !== null)
    for (let from = 0; from < due.length; from += documentsPerCommit) {
      const ids = due.slice(from, from + documentsPerCommit).map(({ id }) => id)
      const [duration, types] = yield* Effect.timed(announce(organisationId, ids, at))
      for (const type of types) yield* Metric.update(Metric.withAttributes(announced, { type }), 1)
      yield* Effect.sleep(Duration.times(duration, pausePerCommit))
    }
    const last = items.at(-1)
    if (hasMore && last !== undefined) return { state, position: last }
    settled.set(organisationId, state)
    return null
  })

  /** All organisations with ending documents. The others need no state. */
  const findAll = Effect.gen(function* () {
    const today = dayOf(yield* DateTime.now)
    const all = new Set<OrganisationId>()
    let after: OrganisationId | null = null
    while (true) {
      const page = { today, notice: expiringDays.default, after, limit: organisationsPerPage }
      const found: ReadonlyArray<OrganisationId> = yield* maintenance.findEnding(page)
      for (const organisationId of found) all.add(organisationId)
      after = found.at(-1) ?? null
      if (found.length < organisationsPerPage) break
    }
    for (const known of [scans, settled]) for (const id of known.keys()) if (!all.has(id)) known.delete(id)
    for (const organisationId of all) if (!scans.has(organisationId)) scans.set(organisationId, null)
  })

  const stepOf = ([organisationId, scan]: readonly [OrganisationId, Scan | null]) =>
    step(organisationId, scan).pipe(
      Effect.catchCause((cause) =>
        Effect.as(
          Effect.logWarning("announcement of validity failed", cause).pipe(Effect.annotateLogs({ organisationId })),
          null
        )
      ),
      Effect.map((next) => (next === null ? scans.delete(organisationId) : scans.set(organisationId, next)))
    )

  // Organisations take turns: each has one page, then each with more has another one.
  return Effect.gen(function* () {
    const end = DateTime.addDuration(yield* DateTime.now, longestTurn)
    yield* findAll
    while (scans.size > 0 && DateTime.isLessThan(yield* DateTime.now, end)) {
      yield* Effect.forEach([...scans], stepOf, { concurrency: organisationsAtOnce, discard: true })
    }
    return scans.size > 0
  })
})

/** Runs a turn every 20 seconds, and the next one at once while work remains, until the layer is closed. */
export const layerBackground: Layer.Layer<never, never, DocumentMaintenance | OrganisationRepository | Records> =
  Layer.effectDiscard(
    Effect.gen(function* () {
      const turn = yield* makeTurn
      const run = turn.pipe(
        Effect.repeat({ while: (hasMore) => hasMore }),
        Effect.catchCause((cause) => Effect.logWarning("announcement of validity failed", cause))
      )
      yield* run.pipe(Effect.delay(interval), Effect.repeat(Schedule.forever), Effect.forkScoped)
    })
  )
