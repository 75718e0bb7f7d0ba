import { expect, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { chunked } from "../src/node/Chunking.ts"
import { inChunks } from "../src/pipeline/Reply.ts"

const request = HttpServerRequest.fromWeb(new Request("http://localhost/"))

const heldBy = Effect.fnUntraced(function* (response: HttpServerResponse.HttpServerResponse) {
  const held = new Set<number>()
  const sent = yield* Effect.provideService(
    chunked({ holds: (_, bytes) => held.add(bytes) })(response),
    HttpServerRequest.HttpServerRequest,
    request
  )
  const text = yield* Effect.promise(() => HttpServerResponse.toWeb(sent).text())
  return { held: [...held], length: text.length }
})

it.effect("a streamed body counts with the pages that its chunks are views of", () =>
  Effect.gen(function* () {
    const pages = [300_000, 200_000].map((length) => new Uint8Array(length).fill(32))
    const response = HttpServerResponse.stream(Stream.flatMap(Stream.fromIterable(pages), inChunks))
    expect(yield* heldBy(response)).toEqual({ held: [300_000, 200_000], length: 500_000 })
  })
)

it.effect("a large body that is no stream counts with its length", () =>
  Effect.gen(function* () {
    const bytes = (length: number) => HttpServerResponse.uint8Array(new Uint8Array(length).fill(32))
    expect(yield* heldBy(bytes(400_000))).toEqual({ held: [400_000], length: 400_000 })
    expect(yield* heldBy(bytes(1_000))).toEqual({ held: [], length: 1_000 })
  })
)
