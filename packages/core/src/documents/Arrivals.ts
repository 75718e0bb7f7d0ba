/**
 * Settles whether a file has arrived: the service never believes it, it looks.
 * Shared by the three ways that lead to `uploaded` (specification, section 5).
 *
 * @since 0.1.0
 */
import { DateTime, Effect, Option } from "effect"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import type { DocumentStorage, StoredObject } from "../storage/DocumentStorage.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Document } from "./Document.ts"
import type { DocumentRepository, DocumentStep } from "./DocumentRepository.ts"
import { maximumBytes, type UploadPolicySettings } from "./UploadPolicy.ts"

/**
 * What a look at storage has shown of a pending document.
 *
 * @category models
 * @since 0.1.0
 */
export type Arrival =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Whole"; readonly sizeBytes: number }
  | { readonly _tag: "Contradiction"; readonly reason: string }

const sameType = (declared: string, stored: string): boolean =>
  declared === (stored.split(";")[0] ?? "").trim().toLowerCase()

const compare = (policy: UploadPolicySettings, document: Document, object: StoredObject): Arrival => {
  const maximum = maximumBytes(policy, document.type)
  if (document.sizeBytes !== null && object.sizeBytes !== document.sizeBytes) {
    return {
      _tag: "Contradiction",
      reason: `${document.sizeBytes} bytes were declared, ${object.sizeBytes} bytes arrived`
    }
  }
  if (object.sizeBytes > maximum) {
    return { _tag: "Contradiction", reason: `at most ${maximum} bytes are allowed, ${object.sizeBytes} bytes arrived` }
  }
  if (object.mimeType !== null && !sameType(document.mimeType, object.mimeType)) {
    return { _tag: "Contradiction", reason: `${document.mimeType} was declared, another media type arrived` }
  }
  return { _tag: "Whole", sizeBytes: object.sizeBytes }
}

/** Looks at what lies at the document's path and compares it with what was declared. Changes nothing. */
export const look = (
  storage: DocumentStorage["Service"],
  policy: UploadPolicySettings,
  document: Document
): Effect.Effect<Arrival, StorageError> =>
  Effect.map(
    storage.inspect(document.organisationId, document.path),
    Option.match({
      onNone: (): Arrival => ({ _tag: "Absent" }),
      onSome: (object) => compare(policy, document, object)
    })
  )

/**
 * Acts on what was seen: `uploaded` when it is whole; deleted and `failed` when
 * it contradicts its declaration; unchanged when there is nothing. Answers the
 * document as it is then, none when it is gone. That somebody else was faster is
 * no failure.
 */
export const settle = Effect.fnUntraced(function* (
  repository: DocumentRepository["Service"],
  storage: DocumentStorage["Service"],
  document: Document,
  arrival: Arrival
): Effect.fn.Return<Option.Option<Document>, RepositoryError | StorageError> {
  const { id, organisationId, path } = document
  if (arrival._tag === "Absent") return Option.some(document)
  // The file goes first: should the process die in between, the document is still pending and will be looked at again.
  if (arrival._tag === "Contradiction") yield* storage.delete(organisationId, [path])
  const step: DocumentStep =
    arrival._tag === "Whole"
      ? { to: "uploaded", sizeBytes: arrival.sizeBytes }
      : { to: "failed", failureReason: arrival.reason }
  return yield* repository.step(organisationId, id, step, { at: yield* DateTime.now }).pipe(
    Effect.map(Option.some),
    Effect.catchTags({
      InvalidTransition: () => repository.findById(organisationId, id),
      VersionMismatch: () => repository.findById(organisationId, id),
      DocumentNotFound: () => Effect.succeedNone
    })
  )
})
