/**
 * A random history of one document: up to four concurrent commands, whose port calls
 * interleave in random order, with crashes. Invariants are checked at every step.
 */
import {
  Caller,
  CurrentCaller,
  type Document,
  DocumentId,
  DocumentMaintenance,
  DocumentRepository,
  DocumentStorage,
  DocumentSweeper,
  Documents,
  type IssueHostUploads,
  OrganisationRepository,
  SiteRepository,
  seededIds,
  storageKey,
  UserId,
  withSeededIds
} from "@solar-sites/core"
import { anOrganisation, aSite, StorageClient } from "@solar-sites/testing"
import { Context, DateTime, Effect, Fiber, Layer, Option, Random } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { makeStepping, RunningCommand } from "./Stepping.ts"

type Ports = DocumentMaintenance | DocumentRepository | DocumentStorage

export type HistoryPorts = Ports | OrganisationRepository | SiteRepository

const seedOfIds = "0193e6f4-1c2d-7a3b-8c4d-5e6f708192a3"
const documentId = DocumentId.make(Effect.runSync(seededIds(seedOfIds)))
const declaredBytes = 5
const aLongTime = { from: DateTime.makeUnsafe(0), until: DateTime.makeUnsafe("2200-01-01T00:00:00Z") }

type State = Document["status"] | "none"

/** The file was rejected or is to be deleted: any stored file may be deleted. */
const isExpendable = (document: Document | undefined): boolean =>
  document === undefined || (document.status === "failed" && !document.failureReason?.startsWith("nothing arrived"))

/** The instances share one database and one storage. */
export const runHistory = Effect.fnUntraced(function* (
  instances: readonly [Context.Context<HistoryPorts>, Context.Context<HistoryPorts>],
  steps: number
) {
  const [first, second] = instances
  const intact = { repository: Context.get(first, DocumentRepository), storage: Context.get(first, DocumentStorage) }
  const client = yield* StorageClient
  const { goOn, quiet, stepped, steppedPort } = makeStepping()

  const start = (ports: Context.Context<Ports>) =>
    Layer.build(
      Layer.fresh(Layer.merge(Documents.layer, DocumentSweeper.layer)).pipe(
        Layer.provide(
          Layer.succeedContext(
            Context.make(DocumentRepository, steppedPort(Context.get(ports, DocumentRepository))).pipe(
              Context.add(DocumentStorage, steppedPort(Context.get(ports, DocumentStorage))),
              Context.add(DocumentMaintenance, steppedPort(Context.get(ports, DocumentMaintenance)))
            )
          )
        )
      )
    )
  const services = [yield* start(first), yield* start(second)] as const

  const { id: organisationId, ...organisation } = anOrganisation()
  yield* Context.get(first, OrganisationRepository).insert({ id: organisationId, ...organisation })
  const site = aSite({ organisationId })
  yield* Context.get(first, SiteRepository).insert(organisationId, site)
  const caller = new Caller({ organisationId, userId: UserId.make("person-1"), apiKeyId: null })
  const key = storageKey({ organisationId, siteId: site.id, documentId })
  const files = [{ filename: "lease.pdf", mimeType: "application/pdf", fileSize: declaredBytes }]
  const request: IssueHostUploads = { siteId: site.id, fileType: "documents", files }

  // The first byte identifies the content.
  let contents = 0
  const known = { acknowledged: 0, stored: 0, refused: 0, isExpendable: true, state: "none" as State }
  let validUntil = DateTime.makeUnsafe(0)
  const issued = ({ uploadUrl }: { readonly uploadUrl: { readonly expiresAt: DateTime.Utc } }) => {
    validUntil = uploadUrl.expiresAt
  }

  /** Uses an address without a length, so that content can contradict any declaration. */
  const put = Effect.gen(function* () {
    const sizeBytes = (yield* Random.nextBoolean) ? declaredBytes : yield* Random.nextIntBetween(1, 9)
    const upload = { key, mimeType: "application/pdf", sizeBytes: null, maximumBytes: 100 }
    const validity = { from: aLongTime.from, until: validUntil }
    const [signed] = yield* intact.storage.signUploads(organisationId, [upload], validity)
    if (signed === undefined) throw new Error("one address was expected")
    contents = (contents % 250) + 1
    const content = contents
    const url = `${signed.path}?${signed.token}`
    const body = new Uint8Array(sizeBytes).fill(content)
    const sent = client.put({ url, headers: signed.headers, body })
    yield* stepped(
      Effect.tap(sent, ({ status }) =>
        Effect.sync(() => {
          if (status < 300) known.acknowledged = content
        })
      )
    )
  })

  const commandsOf = (context: Context.Context<Documents | DocumentSweeper>) => {
    const documents = Context.get(context, Documents)
    const again = Effect.map(withSeededIds(seedOfIds)(documents.issueUploads(request)), ({ results }) => {
      for (const result of results) if (result.success) issued(result)
    })
    const reissue = Effect.map(documents.reissueUpload(documentId), issued)
    const change = (status: "uploaded" | "failed" | "approved") => documents.changeStatus(documentId, { status })
    const [confirm, reject] = [change("uploaded"), change("failed")]
    const remove = documents.delete(documentId)
    const arrived = documents.objectArrived(key)
    const { sweep } = Context.get(context, DocumentSweeper)
    /** Commands per state. */
    const useful = {
      none: [again],
      pending: [put, confirm, arrived],
      uploaded: [reject],
      failed: [reissue, again],
      approved: [remove],
      completed: [remove]
    }
    const others = [put, again, reissue, arrived, confirm, reject, change("approved"), remove, sweep]
    return { useful, others }
  }
  const commands = [commandsOf(services[0]), commandsOf(services[1])] as const

  const check = Effect.fnUntraced(function* (when: string) {
    const document = Option.getOrUndefined(yield* intact.repository.findById(organisationId, documentId))
    const download = { key, mimeType: null, filename: null }
    const { body, status } = yield* client.get(yield* intact.storage.signDownload(organisationId, download, aLongTime))
    const stored = status === 200 ? (body[0] ?? 0) : 0
    const wasThere = !known.isExpendable && known.stored === stored
    known.isExpendable = isExpendable(document)
    known.stored = stored
    known.state = document?.status ?? "none"
    if (known.isExpendable && stored === 0) known.acknowledged = 0
    if (known.isExpendable && wasThere) known.refused = stored
    expect(stored, `${when}: the content that was acknowledged is there, and no other`).toBe(known.acknowledged)
    if (known.isExpendable) return document
    if (stored !== 0) expect(stored, `${when}: what was refused or deleted does not come back`).not.toBe(known.refused)
    if (document !== undefined && document.status !== "pending" && document.status !== "failed") {
      expect(body.byteLength, `${when}: the file of ${document.status} is there`).toBe(document.sizeBytes)
    }
    return document
  })

  const running = new Set<Fiber.Fiber<unknown, unknown>>()
  const fork = Effect.gen(function* () {
    const { others, useful } = commands[(yield* Random.nextBoolean) ? 0 : 1]
    const choices = (yield* Random.nextBoolean) ? useful[known.state] : others
    const [command = put] = yield* Random.shuffle<Effect.Effect<unknown, unknown, CurrentCaller>>(choices)
    const priority = yield* Random.next
    const fiber = yield* Effect.forkChild(
      Effect.ignore(command).pipe(
        Effect.provideService(CurrentCaller, caller),
        Effect.provideService(RunningCommand, { priority })
      )
    )
    running.add(fiber)
    fiber.addObserver(() => running.delete(fiber))
  })

  const crash = Effect.gen(function* () {
    const [fiber] = yield* Random.shuffle(running)
    if (fiber) yield* Fiber.interrupt(fiber)
  })

  for (let step = 1; step <= steps; step++) {
    const choice = yield* Random.nextIntBetween(0, 60)
    if (running.size === 0 || (choice < 20 && running.size < 4)) yield* fork
    else if (choice === 20) yield* crash
    else if (choice === 21) yield* TestClock.adjust(`${yield* Random.nextIntBetween(1, 40)} seconds`)
    else if (!(yield* goOn(choice < 25 ? 2 : 1))) yield* TestClock.adjust("50 millis")
    // Requests begin at different instants.
    yield* TestClock.adjust("1 millis")
    yield* quiet
    yield* check(`step ${step}`)
  }
  while (running.size > 0) {
    if (!(yield* goOn(1))) yield* TestClock.adjust("1 second")
    yield* quiet
    yield* check("after the last command")
  }
  for (let turn = 0; turn < 6; turn++) {
    yield* TestClock.adjust("20 minutes")
    yield* Context.get(services[0], DocumentSweeper).sweep
    yield* check("swept")
  }
  const document = yield* check("in the end")
  expect(document?.status, "nothing is waited for any more").not.toBe("pending")
  if (document === undefined) expect(known.stored, "the file of a deleted document is deleted").toBe(0)
})
