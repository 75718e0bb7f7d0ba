/**
 * Writes response bodies in chunks, so that the progress of a slow reader is visible, and records
 * how many bytes a response holds until it is read.
 */
import { Effect, Stream } from "effect"
import { HttpBody, HttpServerRequest, HttpServerResponse } from "effect/http"
import { chunkBytes, inChunks } from "../pipeline/Reply.ts"
import type { UnreadAnswers } from "./UnreadAnswers.ts"

/** Splits a large body. A chunk of a streamed page is a view of it, and holds the whole page in memory. */
export const chunked =
  ({ holds }: Pick<UnreadAnswers, "holds">) =>
  (
    response: HttpServerResponse.HttpServerResponse
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> => {
    const { body } = response
    if (body._tag !== "Stream" && (body._tag !== "Uint8Array" || body.contentLength <= chunkBytes)) {
      return Effect.succeed(response)
    }
    return Effect.map(HttpServerRequest.HttpServerRequest, ({ source }) => {
      if (body._tag === "Uint8Array") holds(source, body.contentLength)
      const chunks =
        body._tag === "Uint8Array"
          ? inChunks(body.body)
          : Stream.map(body.stream, (chunk) => {
              holds(source, chunk.buffer.byteLength)
              return chunk
            })
      return HttpServerResponse.setBody(response, HttpBody.stream(chunks, body.contentType, body.contentLength))
    })
  }
