/**
 * Bytes that are sent piece by piece, so that a slow reader shows its progress.
 */
import { Stream } from "effect"

/** The largest piece that is handed to a connection at once. */
export const pieceBytes = 65_536

/** Views of the same bytes; nothing is copied. */
export const inPieces = (bytes: Uint8Array): Stream.Stream<Uint8Array> =>
  Stream.fromIterable(
    (function* () {
      for (let start = 0; start < bytes.byteLength; start += pieceBytes) {
        yield bytes.subarray(start, start + pieceBytes)
      }
    })(),
    { chunkSize: 1 }
  )
