/**
 * Bodies in pieces, so that a slow reader shows its progress, and with the bytes
 * that they hold until they are read.
 */
import { Effect, Stream } from "effect"
import { HttpBody, HttpServerRequest, HttpServerResponse } from "effect/http"
import { inPieces, pieceBytes } from "../handlers/Pieces.ts"
import type { UnreadAnswers } from "./UnreadAnswers.ts"

/** Splits a large body. The pieces of a streamed one are views of a page, and hold all of it. */
export const sentInPieces =
  ({ holds }: Pick<UnreadAnswers, "holds">) =>
  (
    response: HttpServerResponse.HttpServerResponse
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> => {
    const { body } = response
    if (body._tag !== "Stream" && (body._tag !== "Uint8Array" || body.contentLength <= pieceBytes)) {
      return Effect.succeed(response)
    }
    return Effect.map(HttpServerRequest.HttpServerRequest, ({ source }) => {
      if (body._tag === "Uint8Array") holds(source, body.contentLength)
      const pieces =
        body._tag === "Uint8Array"
          ? inPieces(body.body)
          : Stream.map(body.stream, (piece) => {
              holds(source, piece.buffer.byteLength)
              return piece
            })
      return HttpServerResponse.setBody(response, HttpBody.stream(pieces, body.contentType, body.contentLength))
    })
  }
