/**
 * Background job: sends the digests that are due. Safe to run in several instances: each digest is recorded as sent
 * before it is handed to the mail server, so that a crash can lose one and doubles none.
 */
import type { PgClient } from "@solar-sites/adapter-postgres"
import {
  type AccessRefused,
  Caller,
  Coverage,
  CurrentCaller,
  dayOf,
  type ExpiryPage,
  ExpiryReport,
  type OrganisationId,
  type PortfolioLimit,
  RandomBytes,
  ReachedPorts,
  type RepositoryError
} from "@solar-sites/core"
import { Clock, DateTime, Effect, Layer, Metric, Option } from "effect"
import { inBackground } from "../background.ts"
import type { LoginSettings } from "../configuration/LoginSettings.ts"
import type { MailSettings } from "../mail/MailSettings.ts"
import { smtpTransport, type Transport } from "../mail/SmtpTransport.ts"
import { digestMail, maximumLines } from "./DigestLetter.ts"
import { linkToken } from "./DigestLink.ts"
import { type DigestSchedule, type DueDays, makeDigestClock, nextAttempt } from "./DigestSchedule.ts"
import { type ClaimedDigest, digestStore } from "./DigestStore.ts"

const interval = "30 seconds"
const organisationsPerPage = 500
/** A mail server that does not answer about the mails of one organisation delays no other one. */
const organisationsAtOnce = 8
/** Mails of one organisation, before the others have their turn. */
const mailsPerTurn = 20
/** The wait for an answer of the mail server ends after shorter times; this one bounds all of them together. */
const longestSending = "2 minutes"
const linkKeyBytes = 32

const digests = Metric.counter("solar_sites_digests", {
  description: "Attempts to send a digest, by outcome",
  incremental: true
})

const counted = (outcome: "sent" | "retried" | "failed") =>
  Metric.update(Metric.withAttributes(digests, { outcome }), 1)

export interface DigestOptions {
  readonly schedule: DigestSchedule
  readonly login: LoginSettings
  /** Language of users who have never logged in. */
  readonly language: string
  /** Address of the console, for links. */
  readonly address: Effect.Effect<string>
  readonly transport: Transport
}

/** The organisation has further digests, has none, or waits after a failure. */
type Progress = "more" | "done" | "failing"

/** The report on what expires, within the reach of the current caller. */
export const reports = ExpiryReport.layer.pipe(Layer.provide(Coverage.layer), Layer.provide(ReachedPorts.layer))

const asLimited = (organisationId: OrganisationId, portfolioIds: PortfolioLimit) => {
  const limit = portfolioIds === null ? {} : { portfolioIds }
  return Effect.provideService(CurrentCaller, new Caller({ organisationId, userId: null, apiKeyId: null, ...limit }))
}

/** Sends everything that is due. Organisations take turns. */
export const makeTurn = Effect.fnUntraced(function* ({ address, language, login, schedule, transport }: DigestOptions) {
  const store = yield* digestStore
  const report = yield* ExpiryReport
  const randomBytes = yield* RandomBytes
  const clock = makeDigestClock(schedule)
  /** Due days without a user who lacks the digest. A later choice counts from the next due hour on. */
  let settled = ""

  const canLogIn = ({ hasPassword, isActive }: ClaimedDigest): boolean =>
    isActive && ((login.passwords && hasPassword) || Option.isSome(login.openId))

  const pageWithin = Effect.fnUntraced(function* (organisationId: OrganisationId, portfolioIds: PortfolioLimit) {
    const query = { asOf: dayOf(yield* DateTime.now), after: null, limit: maximumLines }
    return yield* asLimited(organisationId, portfolioIds)(report.page(query))
  })

  /** The page of the user of a digest, which is tried again when the database fails. */
  const pageOf = Effect.fnUntraced(function* (
    organisationId: OrganisationId,
    digest: ClaimedDigest,
    ofOrganisation: ExpiryPage
  ) {
    if (digest.portfolioIds === null) return ofOrganisation
    const postpone = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const next = nextAttempt(digest.startedAt, now)
      return next === null ? Effect.void : store.retryAt(organisationId, digest, next)
    })
    return yield* Effect.tapError(pageWithin(organisationId, digest.portfolioIds), () => postpone)
  })

  const send = Effect.fnUntraced(function* (organisationId: OrganisationId, digest: ClaimedDigest, page: ExpiryPage) {
    const token = linkToken({ organisationId, userId: digest.userId }, digest.linkKey)
    const mail = digestMail({ base: yield* address, digest, language: digest.language ?? language, page, token })
    const outcome = yield* Effect.result(transport(mail)).pipe(Effect.timeoutOption(longestSending))
    const failure = Option.isSome(outcome) && outcome.value._tag === "Failure" ? outcome.value.failure : undefined
    const now = yield* Clock.currentTimeMillis
    if (failure === undefined) {
      yield* counted("sent")
      return true
    }
    const { code, command, isPermanent, mayArrive, responseCode } = failure
    const next = isPermanent || mayArrive ? null : nextAttempt(digest.startedAt, now)
    const log = next === null ? Effect.logError("digest not delivered") : Effect.logWarning("digest delivery failed")
    yield* Effect.annotateLogs(log, { organisationId, code, command, responseCode, isPermanent, mayArrive })
    yield* counted(next === null ? "failed" : "retried")
    if (next !== null) yield* store.retryAt(organisationId, digest, next)
    return isPermanent
  })

  /** Sends the next digest of an organisation. A shutdown waits for it: a recorded digest is not sent again. */
  const sendNext = Effect.fnUntraced(function* (
    organisationId: OrganisationId,
    days: DueDays,
    page: ExpiryPage
  ): Effect.fn.Return<Progress, RepositoryError | AccessRefused> {
    const now = yield* Clock.currentTimeMillis
    const linkKey = Buffer.from(randomBytes(linkKeyBytes)).toString("hex")
    const claimed = yield* store.claim(organisationId, days, { now, linkKey })
    if (claimed === null) return "done"
    if (page.items.length === 0 || !canLogIn(claimed)) return "more"
    const own = yield* pageOf(organisationId, claimed, page)
    if (own.items.length === 0) return "more"
    return (yield* send(organisationId, claimed, own)) ? "more" : "failing"
  }, Effect.uninterruptible)

  /** `pages` are those of organisations with further digests: a page reads the coverage of all sites. */
  const serve = Effect.fnUntraced(function* (
    organisationId: OrganisationId,
    days: DueDays,
    pages: Map<OrganisationId, ExpiryPage>
  ): Effect.fn.Return<Progress, RepositoryError | AccessRefused> {
    // Read before a digest is recorded: a failure of the database loses none.
    const page = pages.get(organisationId) ?? (yield* pageWithin(organisationId, null))
    pages.delete(organisationId)
    for (let count = 0; count < mailsPerTurn; count++) {
      const progress = yield* sendNext(organisationId, days, page)
      if (progress !== "more") return progress
    }
    pages.set(organisationId, page)
    return "more"
  })

  const serveOne = (
    organisationId: OrganisationId,
    days: DueDays,
    pages: Map<OrganisationId, ExpiryPage>
  ): Effect.Effect<Progress> =>
    serve(organisationId, days, pages).pipe(
      Effect.catchCause((cause) =>
        Effect.annotateLogs(Effect.as(Effect.logWarning("digests failed", cause), "failing" as const), {
          organisationId
        })
      )
    )

  /** All pages of organisations that `find` finds. */
  const allOf = Effect.fnUntraced(function* (
    find: (page: { readonly after: OrganisationId | null; readonly limit: number }) => ReturnType<typeof store.findDue>
  ) {
    const all: Array<OrganisationId> = []
    let after: OrganisationId | null = null
    do {
      const found: ReadonlyArray<OrganisationId> = yield* find({ after, limit: organisationsPerPage })
      for (const id of found) all.push(id)
      after = found.length < organisationsPerPage ? null : (found.at(-1) ?? null)
    } while (after !== null)
    return all
  })

  return Effect.gen(function* () {
    const failing = new Set<OrganisationId>()
    const pages = new Map<OrganisationId, ExpiryPage>()
    let hasMore = true
    while (hasMore) {
      const now = yield* Clock.currentTimeMillis
      const days = clock.dueDays(now)
      const state = JSON.stringify(days)
      const due = state === settled ? [] : yield* allOf((page) => store.findDue(days, page))
      if (due.length === 0) settled = state
      const retried = yield* allOf((page) => store.findRetried(now, page))
      const waiting = [...new Set([...due, ...retried])].filter((id) => !failing.has(id))
      const serveNext = (id: OrganisationId) =>
        Effect.map(serveOne(id, days, pages), (progress) => {
          if (progress === "failing") failing.add(id)
        })
      yield* Effect.forEach(waiting, serveNext, { concurrency: organisationsAtOnce, discard: true })
      hasMore = waiting.some((id) => !failing.has(id))
    }
  })
})

/** Sends digests at once and every 30 seconds until the layer is closed. */
export const layerWorker = ({
  mail,
  ...options
}: Omit<DigestOptions, "transport"> & { readonly mail: MailSettings }): Layer.Layer<
  never,
  never,
  ExpiryReport | PgClient
> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const turn = yield* makeTurn({ ...options, transport: yield* smtpTransport(mail) })
      yield* inBackground(interval, "digests failed")(turn)
    })
  )
