import { describe, expect, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { day, inScene } from "./validityScene.ts"

const insurance = "insurance"

describe("the announcer of validity", () => {
  it.live("writes an event within a minute after the day begins on which coverage says so", () =>
    inScene(
      Effect.fnUntraced(function* ({ addSite, advance, announced, start, upload }) {
        yield* start()
        yield* upload(yield* addSite(), { filename: "a.pdf", validUntil: day("2026-07-02") })
        yield* advance("14 hours")
        yield* advance("59 minutes")
        expect(yield* announced, "23:59 of the day before").toEqual([])
        yield* advance("2 minutes")
        expect(yield* announced).toEqual(["expiring a.pdf"])
        yield* advance("30 days")
        yield* advance("23 hours")
        yield* advance("58 minutes")
        expect(yield* announced, "23:59 of its last day").toEqual(["expiring a.pdf"])
        yield* advance("2 minutes")
        expect(yield* announced).toEqual(["expiring a.pdf", "expired a.pdf"])
        yield* advance("100 days")
        expect(yield* announced).toHaveLength(2)
      })
    )
  )

  it.live("writes an event of the service itself, and changes neither version nor updatedAt", () =>
    inScene(
      Effect.fnUntraced(function* ({ addSite, advance, documents, events, organisationId, start, upload }) {
        yield* start()
        const siteId = yield* addSite()
        const id = yield* upload(siteId, { filename: "a.pdf", validUntil: day("2026-06-10") })
        const before = yield* documents.findById(organisationId, id)
        yield* advance("1 minutes")
        const page = { after: null, limit: 1, order: "desc" } as const
        const [event] = (yield* events.list(organisationId, {}, page)).items
        expect(event).toMatchObject({
          type: "document.expiring",
          actor: { userId: null, apiKeyId: null, keyPrefix: null },
          requestId: null,
          subject: { type: "document", id, name: "a.pdf" },
          siteId,
          changes: { validUntil: { from: "2026-06-10", to: "2026-06-10" } }
        })
        expect(DateTime.formatIso(event?.occurredAt ?? DateTime.makeUnsafe(0))).toMatch(/^2026-06-01T09:00/)
        expect(yield* documents.findById(organisationId, id)).toEqual(before)
      })
    )
  )

  it.live("says nothing before validFrom, nor about documents that are not current", () =>
    inScene(
      Effect.fnUntraced(function* ({ addSite, advance, announced, change, reject, start, upload }) {
        yield* start()
        const siteId = yield* addSite()
        const validity = { validFrom: day("2026-06-03"), validUntil: day("2026-06-04") }
        yield* upload(siteId, { filename: "later.pdf", ...validity })
        yield* reject(yield* upload(siteId, { filename: "rejected.pdf", validUntil: day("2026-06-04") }))
        const old = yield* upload(siteId, { filename: "old.pdf", validUntil: day("2026-06-04") })
        yield* upload(siteId, { filename: "new.pdf", replaces: old })
        yield* change(old, { documentType: insurance })
        yield* advance("1 days")
        yield* advance("1 minutes")
        expect(yield* announced).toEqual([])
        yield* advance("1 days")
        yield* advance("1 minutes")
        expect(yield* announced).toEqual(["expiring later.pdf"])
      })
    )
  )

  it.live("follows an upload, another requirement, a move and another portfolio's notice within a minute", () =>
    inScene(
      Effect.fnUntraced(function* ({ addPortfolio, addSite, advance, announced, move, require, ...scene }) {
        const { removePortfolio, start, upload } = scene
        yield* start()
        const [long, short] = [yield* addPortfolio, yield* addPortfolio]
        const siteId = yield* addSite()
        const file = (filename: string, validUntil: string) =>
          upload(siteId, { filename, documentType: insurance, validUntil: day(validUntil) })
        yield* file("in 40 days", "2026-07-11")
        yield* file("in 60 days", "2026-07-31")
        yield* file("in 90 days", "2026-08-30")
        yield* file("in 20 days", "2026-06-21")
        yield* advance("1 minutes")
        const told = ["expiring in 20 days"]
        expect(yield* announced).toEqual(told)
        yield* require({ documentType: insurance, expiringWithinDays: 40 }, {
          documentType: "epc",
          expiringWithinDays: 365
        })
        yield* advance("1 minutes")
        told.push("expiring in 40 days")
        expect(yield* announced).toEqual(told)
        yield* require({ documentType: insurance, expiringWithinDays: 90 }, {
          documentType: insurance,
          portfolioId: long,
          expiringWithinDays: 60
        }, { documentType: insurance, portfolioId: short, expiringWithinDays: 1 })
        yield* move(siteId, short)
        yield* advance("1 minutes")
        expect(yield* announced, "the requirement of the portfolio counts").toEqual(told)
        yield* move(siteId, long)
        yield* advance("1 minutes")
        told.push("expiring in 60 days")
        expect(yield* announced).toEqual(told)
        yield* removePortfolio(long)
        yield* advance("1 minutes")
        told.push("expiring in 90 days")
        expect(yield* announced, "without a portfolio the requirement of all sites counts").toEqual(told)
        yield* require({ documentType: insurance, expiringWithinDays: 1 })
        yield* advance("1 minutes")
        yield* require({ documentType: insurance, expiringWithinDays: 365 })
        yield* advance("1 minutes")
        expect(yield* announced, "a shorter notice takes nothing back").toEqual(told)
      })
    )
  )

  it.live("starts again with every change of validUntil, and when a document becomes current again", () =>
    inScene(
      Effect.fnUntraced(function* ({ addSite, advance, announced, change, remove, start, upload }) {
        yield* start()
        const siteId = yield* addSite()
        const id = yield* upload(siteId, { filename: "a", validUntil: day("2026-06-10") })
        yield* advance("1 minutes")
        yield* change(id, { validUntil: day("2026-06-11") })
        yield* advance("1 minutes")
        yield* change(id, { validUntil: day("2026-12-31") })
        yield* change(id, { validUntil: day("2026-06-11") })
        yield* advance("1 minutes")
        expect(yield* announced, "there and back is a change").toEqual(["expiring a", "expiring a", "expiring a"])
        yield* change(id, { validUntil: null })
        yield* change(id, { filename: "b" })
        yield* advance("1 minutes")
        expect(yield* announced).toHaveLength(3)
        yield* change(id, { validUntil: day("2026-05-31") })
        yield* change(id, { filename: "c" })
        yield* advance("1 minutes")
        const successor = yield* upload(siteId, { replaces: id })
        yield* advance("1 minutes")
        expect((yield* announced).slice(3)).toEqual(["expired c"])
        yield* remove(successor)
        yield* advance("1 minutes")
        expect((yield* announced).slice(3)).toEqual(["expired c", "expired c"])
        yield* remove(id)
        yield* advance("3 days")
        expect(yield* announced).toHaveLength(5)
      })
    )
  )

  it.live("announces once from several servers, with clocks that differ by an hour, after restarts and a purge", () =>
    inScene(
      Effect.fnUntraced(function* ({ addSite, advance, announced, events, organisationId, start, upload }) {
        const stops = [yield* start(), yield* start(1), yield* start(-1)]
        const siteId = yield* addSite()
        for (let count = 0; count < 250; count++)
          yield* upload(siteId, { filename: "a", validUntil: day("2026-06-02") })
        yield* advance("1 minutes")
        expect(yield* announced).toEqual(Array.from({ length: 250 }, () => "expiring a"))
        // The clock that is ahead reaches the next day at 23:00, the slow one at 01:00.
        yield* advance("1 days")
        yield* advance("14 hours")
        for (let hour = 0; hour < 3; hour++) yield* advance("1 hours")
        expect((yield* announced).slice(250)).toEqual(Array.from({ length: 250 }, () => "expired a"))
        for (const stop of stops) yield* stop
        yield* events.purge(organisationId, { before: yield* DateTime.now, limit: 10_000 })
        expect(yield* announced).toEqual([])
        for (const hours of [0, 1, -1]) yield* start(hours)
        yield* advance("2 days")
        yield* advance("1 minutes")
        expect(yield* announced).toEqual([])
      })
    )
  )

  it.live(
    "catches up with days that it missed by the later event alone, and with those of an inactive organisation",
    () =>
      inScene(
        Effect.fnUntraced(function* ({ addSite, advance, announced, setStatus, start, upload }) {
          const siteId = yield* addSite()
          yield* upload(siteId, { filename: "a", validUntil: day("2026-06-20") })
          yield* upload(siteId, { filename: "b", validUntil: day("2026-07-20") })
          yield* advance("30 days")
          yield* setStatus("inactive")
          yield* start()
          yield* advance("5 minutes")
          expect(yield* announced).toEqual([])
          yield* setStatus("active")
          yield* advance("1 minutes")
          expect(yield* announced).toEqual(["expired a", "expiring b"])
        })
      )
  )
})
