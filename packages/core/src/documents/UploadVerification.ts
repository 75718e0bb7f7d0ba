/**
 * Settles whether a file has arrived: the service never believes it, it looks.
 * Shared by the three ways that lead to `uploaded` (specification, section 5).
 *
 * @since 0.1.0
 */
import { DateTime, Effect, Option, Result } from "effect"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import type { DocumentStorage, StoredObject } from "../storage/DocumentStorage.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Document } from "./Document.ts"
import type { DocumentRepository, DocumentStep } from "./DocumentRepository.ts"
import { maximumBytes, type UploadPolicySettings } from "./UploadPolicy.ts"

/**
 * What a look at storage has shown of a document.
 *
 * @category models
 * @since 0.1.0
 */
export type Inspection =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Whole"; readonly sizeBytes: number }
  | { readonly _tag: "Contradiction"; readonly reason: string }

/** What a look at storage needs, and what acts on it. */
export interface VerificationPorts {
  readonly repository: DocumentRepository["Service"]
  readonly storage: DocumentStorage["Service"]
  readonly policy: UploadPolicySettings
}

// Each further attempt follows a change by another call.
const attempts = 5

const sameType = (declared: string, stored: string): boolean =>
  declared === (stored.split(";")[0] ?? "").trim().toLowerCase()

const contradiction = (reason: string): Inspection => ({ _tag: "Contradiction", reason })

const compare = (policy: UploadPolicySettings, document: Document, object: StoredObject): Inspection => {
  const maximum = maximumBytes(policy, document.type)
  if (document.sizeBytes !== null && object.sizeBytes !== document.sizeBytes) {
    return contradiction(`${document.sizeBytes} bytes were declared, ${object.sizeBytes} bytes arrived`)
  }
  if (object.sizeBytes > maximum) {
    return contradiction(`at most ${maximum} bytes are allowed, ${object.sizeBytes} bytes arrived`)
  }
  if (object.mimeType !== null && !sameType(document.mimeType, object.mimeType)) {
    return contradiction(`${document.mimeType} was declared, another media type arrived`)
  }
  // Clients would decode it, and get other bytes than those that were looked at.
  if (object.contentCoding !== null && object.contentCoding.trim().toLowerCase() !== "identity") {
    return contradiction("the file was sent with a content coding (the header Content-Encoding)")
  }
  return { _tag: "Whole", sizeBytes: object.sizeBytes }
}

/** Looks at what lies at the document's path and compares it with what was declared. Changes nothing. */
export const inspect = (
  { policy, storage }: Pick<VerificationPorts, "policy" | "storage">,
  document: Document
): Effect.Effect<Inspection, StorageError> =>
  Effect.map(
    storage.inspect(document.organisationId, document.path),
    Option.match({
      onNone: (): Inspection => ({ _tag: "Absent" }),
      onSome: (object) => compare(policy, document, object)
    })
  )

const stepOf = (arrival: Exclude<Inspection, { readonly _tag: "Absent" }>, { createdAt }: Document): DocumentStep =>
  arrival._tag === "Whole"
    ? { to: "uploaded", sizeBytes: arrival.sizeBytes, createdAt }
    : { to: "failed", failureReason: arrival.reason, createdAt }

const isSame = (a: Document, b: Document): boolean =>
  a.version === b.version && DateTime.Equivalence(a.createdAt, b.createdAt)

/** True while a look at storage can change the document. */
export const canReceiveFile = ({ status }: Document): boolean => status === "pending" || status === "failed"

/**
 * Looks, and acts on what it sees: `uploaded` when the file is whole; `failed`,
 * and the file listed for deletion, when it contradicts its declaration;
 * unchanged when there is nothing, or what is there was refused before. Answers
 * the document as it is then, none when it is gone, and what the last look has
 * shown. The step holds only for the version of the document that was looked at:
 * another version, or a document made again under the same id, may have another
 * file.
 */
export const resolve = Effect.fnUntraced(function* (
  ports: VerificationPorts,
  document: Document
): Effect.fn.Return<
  { readonly document: Option.Option<Document>; readonly arrival: Inspection },
  RepositoryError | StorageError
> {
  const { id, organisationId } = document
  let current = document
  for (let attempt = 1; ; attempt++) {
    const arrival = yield* inspect(ports, current)
    if (arrival._tag === "Absent") return { document: Option.some(current), arrival }
    const options = { at: yield* DateTime.now, expectedVersions: [current.version] }
    const stepped = yield* Effect.result(ports.repository.step(organisationId, id, stepOf(arrival, current), options))
    if (Result.isSuccess(stepped)) return { document: Option.some(stepped.success), arrival }
    if (stepped.failure._tag === "RepositoryError") return yield* stepped.failure
    const found = yield* ports.repository.findById(organisationId, id)
    if (Option.isNone(found) || isSame(found.value, current) || !canReceiveFile(found.value) || attempt === attempts) {
      return { document: found, arrival }
    }
    current = found.value
  }
})
