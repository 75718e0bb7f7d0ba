/**
 * Compares the events that the contestants store with their changes.
 */
import { deepStrictEqual } from "node:assert/strict"
import type { Running } from "../contestants/processes.ts"
import type { Database } from "../services/database/database.ts"
import type { Fixture, Organisation } from "../services/database/fixture.ts"
import type { WorkloadRequest } from "../workloads.ts"
import { normaliser, send } from "./answers.ts"
import { sendJson } from "./refusals.ts"

/** A change of which the event is compared, after one that makes it possible. */
interface Case {
  readonly organisation: Organisation
  readonly before?: WorkloadRequest
  readonly request: WorkloadRequest
  readonly events: number
  /** Workload that a contestant can leave out. */
  readonly of?: string
}

const casesOf = ({ mover, others, writer }: Fixture): ReadonlyArray<Case> => {
  const [siteId] = writer.siteIds
  const update = (changes: object) => sendJson("PUT", `/api/sites/${siteId}`, writer.key, changes)
  const site = { siteName: "Created Cafe\u0301", capacity: 0.1, unit: "MW", tags: ["a"], siteManager: { name: "M" } }
  const move = (portfolioId: string | undefined) =>
    sendJson("POST", `/api/portfolios/${portfolioId}/sites`, mover.key, { siteIds: mover.siteIds.slice(0, 3) })
  const cases: ReadonlyArray<Case> = [
    { organisation: writer, events: 1, request: sendJson("POST", "/api/sites", writer.key, site) },
    {
      organisation: writer,
      events: 1,
      before: update({ address: "Before", capacity: 1, tags: [], externalId: null, siteManager: null }),
      request: update({ address: "After", capacity: 2.5, tags: ["a"], externalId: "after", siteManager: { name: "M" } })
    },
    { organisation: writer, events: 0, before: update({ latitude: 1 }), request: update({ latitude: 1 }) },
    { organisation: writer, events: 0, request: update({ latitude: 2, portfolioId: others[0]?.portfolioIds[0] }) },
    {
      organisation: writer,
      events: 2,
      request: sendJson("POST", "/api/docs/bulk-upload-url", writer.key, {
        siteId,
        fileType: "documents",
        files: ["a.pdf", "b.pdf"].map((filename) => ({ filename, mimeType: "application/pdf", fileSize: 5 }))
      })
    },
    {
      organisation: mover,
      of: "move-many",
      events: 3,
      before: move(mover.portfolioIds[0]),
      request: move(mover.portfolioIds[1])
    }
  ]
  const [other] = others
  const [documentId] = other?.documentIds ?? []
  if (other === undefined || documentId === undefined) return cases
  const approve = sendJson("PUT", `/api/docs/${documentId}`, other.key, { status: "approved" })
  return [...cases, { organisation: other, of: "approve", events: 1, request: approve }]
}

type Within = (running: Running, what: string, check: () => Promise<void>) => Promise<void>

/**
 * Rejects when a contestant stores other events than `standard`, or without the next sequences of the
 * organisation.
 */
export const compareEvents = async (
  all: ReadonlyArray<Running>,
  standard: Running,
  { eventsAfter, fixture, tidy }: Database,
  within: Within
): Promise<void> => {
  const normalise = normaliser(fixture)

  const eventsOf = async (running: Running, { before, events: expected, organisation, request }: Case) => {
    const { organisationId } = organisation
    if (before !== undefined) await send(running, before)
    const { last } = await eventsAfter(organisationId, Number.MAX_SAFE_INTEGER)
    const { headers } = await send(running, request)
    const after = await eventsAfter(organisationId, last)
    const sequences = Array.from({ length: expected }, (_, index) => last + index + 1)
    deepStrictEqual([after.last, after.events.map(({ sequence }) => sequence)], [last + expected, sequences])
    return after.events.map(({ request_id, sequence: _, site_id, subject_id, ...event }) => {
      deepStrictEqual(request_id, headers.get("x-request-id"))
      return { ...event, site_id: normalise(String(site_id)), subject_id: normalise(String(subject_id)) }
    })
  }

  const cases = casesOf(fixture)
  const expected = new Map<Case, unknown>()
  for (const one of [standard, ...all]) {
    await tidy()
    for (const each of cases) {
      const { of: workload = "", request } = each
      if (one.contestant.leavesOut?.includes(workload)) continue
      await within(one, `events of ${request.method} ${request.path}`, async () => {
        const events = await eventsOf(one, each)
        if (expected.has(each)) deepStrictEqual(events, expected.get(each))
        else expected.set(each, events)
      })
    }
  }
}
