import { describe, expect, it } from "@effect/vitest"
import {
  CoverImages,
  DocumentStorage,
  RequestOrigin,
  StorageError,
  storageKey,
  withJson,
  withoutOwnCover
} from "@solar-sites/core"
import { aSite } from "@solar-sites/testing"
import { DateTime, Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"

/** Cover images over a storage that signs `https://files.test/a/<key>?<from>-<until>`, or with the origin of the request. */
const setUp = Effect.gen(function* () {
  const state = { signed: 0, down: false }
  const storage = Layer.mock(DocumentStorage, {
    signDownload: (_, { key }, { from, until }) =>
      Effect.flatMap(RequestOrigin, (origin = "https://files.test") => {
        state.signed += 1
        return state.down
          ? Effect.fail(new StorageError({ operation: "x", reason: "unavailable", cause: new Error("gone") }))
          : Effect.succeed(`${origin}/a/${key}?${DateTime.toEpochMillis(from)}-${DateTime.toEpochMillis(until)}`)
      })
  })
  const covers = yield* Effect.provide(
    Effect.service(CoverImages),
    yield* Layer.build(CoverImages.layer.pipe(Layer.provide(storage)))
  )
  return { state, covers }
})

const bare = aSite()
const documentId = aSite().id
const key = storageKey({ organisationId: bare.organisationId, siteId: bare.id, documentId })
const covered = aSite({ ...bare, coverImageUrl: key })
const hours = (count: number) => count * 3_600_000

describe("CoverImages", () => {
  it.effect("signs an uploaded cover for six hours, and anew after three", () =>
    Effect.gen(function* () {
      const { covers, state } = yield* setUp
      const address = Effect.map(covers.withSignedCover(covered), ({ coverImageUrl }) => coverImageUrl)
      expect(yield* address).toBe(`https://files.test/a/${key}?0-${hours(6)}`)
      yield* TestClock.adjust("179 minutes")
      expect(yield* address).toBe(`https://files.test/a/${key}?0-${hours(6)}`)
      yield* TestClock.adjust("1 minute")
      expect(yield* address).toBe(`https://files.test/a/${key}?${hours(3)}-${hours(9)}`)
      expect(state.signed).toBe(2)
    })
  )

  it.effect("has addresses of its own for every origin that callers come by", () =>
    Effect.gen(function* () {
      const { covers, state } = yield* setUp
      const addressFrom = (origin: string | undefined) =>
        Effect.map(
          Effect.provideService(covers.withSignedCover(covered), RequestOrigin, origin),
          (site) => site.coverImageUrl
        )
      const signed = (origin: string) => `${origin}/a/${key}?0-${hours(6)}`
      expect(yield* addressFrom("http://localhost:3000")).toBe(signed("http://localhost:3000"))
      expect(yield* addressFrom("http://[::1]:3000")).toBe(signed("http://[::1]:3000"))
      expect(yield* addressFrom(undefined)).toBe(signed("https://files.test"))
      expect(yield* addressFrom("http://localhost:3000")).toBe(signed("http://localhost:3000"))
      expect(state.signed).toBe(3)
    })
  )

  it.effect("leaves everything else of a site alone, and sites without an uploaded cover as they are", () =>
    Effect.gen(function* () {
      const { covers, state } = yield* setUp
      const linked = aSite({ coverImageUrl: "https://example.com/a.png" })
      const [first, second, third] = yield* covers.withSignedCovers([bare, covered, linked])
      expect([first, third]).toEqual([bare, linked])
      expect(second).toEqual({ ...covered, coverImageUrl: second?.coverImageUrl })
      expect(state.signed).toBe(1)
    })
  )

  it.effect("shows a site without its cover while none can be signed, and remembers no failure", () =>
    Effect.gen(function* () {
      const { covers, state } = yield* setUp
      state.down = true
      expect((yield* covers.withSignedCover(covered)).coverImageUrl).toBeNull()
      state.down = false
      expect((yield* covers.withSignedCover(covered)).coverImageUrl).toContain(key)
    })
  )

  it.effect("logs once per response that signing of covers failed", () => {
    const lines: Array<unknown> = []
    const logger = Logger.layer([Logger.map(Logger.formatStructured, (line) => void lines.push(line))])
    return Effect.gen(function* () {
      const { covers, state } = yield* setUp
      state.down = true
      yield* covers.withSignedCovers([covered, bare, covered])
      const message = "signing of cover image addresses failed"
      expect(lines).toMatchObject([{ level: "WARN", message, annotations: { operation: "x", cause: "gone" } }])
    }).pipe(Effect.provide(logger))
  })

  it.effect("treats an own address of the same site as no change, with any token", () =>
    Effect.gen(function* () {
      const { id, organisationId } = bare
      for (const coverImageUrl of [`https://files.test/a/${key}?0-1`, `http://127.0.0.1:3000/storage/${key}?x`]) {
        const changes = { siteName: "New", coverImageUrl }
        expect(yield* withoutOwnCover(organisationId, id, changes)).toEqual({ siteName: "New" })
      }
    })
  )

  it.effect("accepts null and foreign https addresses, and refuses others", () =>
    Effect.gen(function* () {
      const { organisationId } = bare
      const other = aSite().id
      for (const coverImageUrl of [null, "https://example.com/a.png", `https://files.test/a/${key}`]) {
        expect(yield* withoutOwnCover(organisationId, other, { coverImageUrl })).toEqual({ coverImageUrl })
      }
      for (const coverImageUrl of [`http://127.0.0.1/storage/${key}`, "http://example.com/?https://example.com"]) {
        const refusal = yield* Effect.flip(withoutOwnCover(organisationId, other, { coverImageUrl }))
        expect(refusal.faults).toMatchObject([{ pointer: "/coverImageUrl", code: "invalid_url" }])
      }
    })
  )

  it.effect("signs the covers of a page", () =>
    Effect.gen(function* () {
      const { covers } = yield* setUp
      const { hasMore, items } = yield* covers.withSignedCoverPage({ items: [bare, covered], hasMore: true })
      expect(hasMore).toBe(true)
      expect(items.map(({ coverImageUrl }) => coverImageUrl)).toEqual([
        null,
        `https://files.test/a/${key}?0-${hours(6)}`
      ])
    })
  )

  it.effect("does not look at a page that knows its JSON, since that holds no uploaded cover", () =>
    Effect.gen(function* () {
      const { covers } = yield* setUp
      const items = (): never => expect.unreachable("looked at")
      const page = Object.defineProperty({ items: [], hasMore: true }, "items", { get: items, enumerable: true })
      expect(yield* covers.withSignedCoverPage(withJson(page, { texts: () => [], lastId: null }))).toBe(page)
    })
  )
})
