/**
 * Verifies uploads: a document becomes `uploaded` only after its file was inspected in storage.
 * Shared by the three ways that lead to `uploaded` (specification, section 5).
 */
import { DateTime, Effect, Option, Result } from "effect"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { DocumentStorage, StoredObject } from "../storage/DocumentStorage.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Document } from "./Document.ts"
import type { DocumentCommands, DocumentStep } from "./DocumentCommands.ts"
import { maximumBytes } from "./FilePolicy.ts"
import type { UploadPolicySettings } from "./UploadPolicy.ts"

/** Result of inspecting the file of a document. */
export type Inspection =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Valid"; readonly sizeBytes: number }
  | { readonly _tag: "Mismatch"; readonly reason: string }

/** Ports for inspection and the resulting step. */
export interface VerificationPorts {
  readonly commands: DocumentCommands
  readonly storage: DocumentStorage["Service"]
  readonly policy: UploadPolicySettings
}

// An attempt is repeated only when another call changed the document meanwhile.
const attempts = 5

const sameType = (declared: string, stored: string): boolean =>
  declared === (stored.split(";")[0] ?? "").trim().toLowerCase()

const mismatch = (reason: string): Inspection => ({ _tag: "Mismatch", reason })

const compare = (policy: UploadPolicySettings, document: Document, object: StoredObject): Inspection => {
  const maximum = maximumBytes(policy, document.type)
  if (document.sizeBytes !== null && object.sizeBytes !== document.sizeBytes) {
    return mismatch(`${document.sizeBytes} bytes were declared, ${object.sizeBytes} bytes arrived`)
  }
  if (object.sizeBytes > maximum) {
    return mismatch(`at most ${maximum} bytes are allowed, ${object.sizeBytes} bytes arrived`)
  }
  if (object.mimeType !== null && !sameType(document.mimeType, object.mimeType)) {
    return mismatch(`${document.mimeType} was declared, another media type arrived`)
  }
  // Clients would decode the file and get other bytes than those verified.
  if (object.contentCoding !== null && object.contentCoding.trim().toLowerCase() !== "identity") {
    return mismatch("the file was sent with a content coding (the header Content-Encoding)")
  }
  return { _tag: "Valid", sizeBytes: object.sizeBytes }
}

/** Compares the stored file with the declaration. Changes nothing. */
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

const stepOf = (inspection: Exclude<Inspection, { readonly _tag: "Absent" }>, { createdAt }: Document): DocumentStep =>
  inspection._tag === "Valid"
    ? { to: "uploaded", sizeBytes: inspection.sizeBytes, createdAt }
    : { to: "failed", failureReason: inspection.reason, createdAt }

const isSame = (a: Document, b: Document): boolean =>
  a.version === b.version && DateTime.Equivalence(a.createdAt, b.createdAt)

/** True while a file in storage can change the status of the document. */
export const canReceiveFile = ({ status }: Document): boolean => status === "pending" || status === "failed"

/**
 * Inspects the file and changes the document: `uploaded` when the file is valid; `failed`, with the
 * file listed for deletion, when it does not match; unchanged when there is no file or it was
 * refused before. Returns the current document (none when deleted) and the last inspection. The
 * step applies only to the inspected version: another version, or a new document with the same id,
 * can have another file.
 */
export const resolve = Effect.fnUntraced(function* (
  ports: VerificationPorts,
  document: Document
): Effect.fn.Return<
  { readonly document: Option.Option<Document>; readonly inspection: Inspection },
  RepositoryError | StorageError
> {
  const { id, organisationId } = document
  let current = document
  for (let attempt = 1; ; attempt++) {
    const inspection = yield* inspect(ports, current)
    if (inspection._tag === "Absent") return { document: Option.some(current), inspection }
    const options = { at: yield* DateTime.now, expectedVersions: [current.version] }
    const stepped = yield* Effect.result(ports.commands.step(organisationId, id, stepOf(inspection, current), options))
    if (Result.isSuccess(stepped)) return { document: Option.some(stepped.success), inspection }
    if (stepped.failure._tag === "RepositoryError") return yield* stepped.failure
    const found = yield* ports.commands.findById(organisationId, id)
    if (Option.isNone(found) || isSame(found.value, current) || !canReceiveFile(found.value) || attempt === attempts) {
      return { document: found, inspection }
    }
    current = found.value
  }
})
