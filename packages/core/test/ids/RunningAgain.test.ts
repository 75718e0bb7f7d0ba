import { describe, expect, it } from "@effect/vitest"
import { makeUuidV7, Portfolios, withSeededIds } from "@solar-sites/core"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { bytes, setup } from "../documents/setup.ts"
import { as, services } from "../services.ts"

const input = { siteName: "Long Meadow", capacity: 1, unit: "kW" } as const

describe("what runs again with the ids of the same seed", () => {
  it.effect("makes the same site, as it is by now", () =>
    Effect.gen(function* () {
      const { person, sites } = yield* setup
      const create = sites.create(input).pipe(withSeededIds(yield* makeUuidV7()), as(person))
      const site = yield* create
      const renamed = yield* sites.update(site.id, { siteName: "Changed" }).pipe(as(person))
      expect(yield* create).toEqual(renamed)
      expect((yield* sites.create(input).pipe(as(person))).id).not.toBe(site.id)
      expect((yield* sites.list().pipe(as(person))).data.length).toBe(3)
    }).pipe(Effect.provide(services))
  )

  it.effect("makes the same portfolios", () =>
    Effect.gen(function* () {
      const { person } = yield* setup
      const portfolios = yield* Portfolios
      const create = portfolios.createMany([{ name: "A" }, { name: "B" }]).pipe(withSeededIds(yield* makeUuidV7()))
      const made = yield* create.pipe(as(person))
      expect(yield* create.pipe(as(person))).toEqual(made)
      expect((yield* portfolios.list().pipe(as(person))).data).toEqual(made)
    }).pipe(Effect.provide(services))
  )

  it.effect("makes the same documents, with addresses that begin anew where a file may still come", () =>
    Effect.gen(function* () {
      const { asPerson, documents, issue, send } = yield* setup
      const seed = yield* makeUuidV7()
      const run = issue({ filename: "a.pdf" }, { filename: "b.pdf" }).pipe(withSeededIds(seed))
      const [sent, failed] = (yield* run).results.flatMap((result) => (result.success ? [result] : []))
      if (sent === undefined || failed === undefined) throw new Error("both files may come")
      expect(yield* send(sent, bytes(10))).toBe(true)
      yield* documents.changeStatus(sent.documentId, { status: "uploaded" }).pipe(asPerson)
      yield* TestClock.adjust("20 minutes")
      const { results } = yield* run
      expect(results.map((result) => result.success && result.documentId)).toEqual([sent.documentId, failed.documentId])
      const { data } = yield* documents.list().pipe(asPerson)
      expect(data.map(({ status }) => status)).toEqual(["uploaded", "pending"])
      const [, again] = results
      expect(again?.success === true && (yield* send(again, bytes(10)))).toBe(true)
      yield* documents.changeStatus(failed.documentId, { status: "uploaded" }).pipe(asPerson)
    }).pipe(Effect.provide(services))
  )
})
