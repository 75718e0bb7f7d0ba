/**
 * Finds with a limit in bytes, for adapters that count them after reading.
 */
import { Effect } from "effect"
import { RepositoryError } from "../repositories/RepositoryError.ts"
import type { FoundRecords } from "./Found.ts"

/** The failure of a load with a find of more than its `maximumBytes`. */
export const loadTooLarge = (operation: string, { find }: Pick<FoundRecords, "find">): RepositoryError => {
  const cause = new Error(`more than ${find.maximumBytes} bytes of ${find.kind.name} records to decide on`)
  return new RepositoryError({ operation, retryable: false, cause })
}

/** Fails when one of the answers is too large. */
export const withinLimits = (
  operation: string,
  answers: ReadonlyArray<FoundRecords>
): Effect.Effect<void, RepositoryError> => {
  const tooLarge = answers.find(
    ({ find: { maximumBytes }, stored }) => maximumBytes !== undefined && bytesOf(stored) > maximumBytes
  )
  return tooLarge === undefined ? Effect.void : Effect.fail(loadTooLarge(operation, tooLarge))
}

const bytesOf = (stored: FoundRecords["stored"]): number =>
  stored.reduce((bytes, { record }) => bytes + Buffer.byteLength(JSON.stringify(record)), 0)
