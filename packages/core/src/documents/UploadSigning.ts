/**
 * Signed addresses of pending documents.
 */
import { DateTime, Effect } from "effect"
import type { Caller } from "../caller/Caller.ts"
import type { DocumentStorage, SignedUpload, UploadRequest, Validity } from "../storage/DocumentStorage.ts"
import type { Document } from "./Document.ts"
import { maximumBytes } from "./FilePolicy.ts"
import { type UploadPolicySettings, uploadAddressLife } from "./UploadPolicy.ts"
import type { UploadAddress } from "./UploadRequest.ts"

/** Validity of an upload address signed at this instant. */
export const validityFrom = (from: DateTime.Utc): Validity => ({
  from,
  until: DateTime.addDuration(from, uploadAddressLife)
})

const requestOf = (policy: UploadPolicySettings, document: Document): UploadRequest => ({
  key: document.path,
  mimeType: document.mimeType,
  sizeBytes: document.sizeBytes,
  maximumBytes: maximumBytes(policy, document.type)
})

/** Signs the addresses of pending documents as one batch, in order. */
export const signUploads = (
  storage: DocumentStorage["Service"],
  policy: UploadPolicySettings,
  caller: Caller,
  documents: ReadonlyArray<Document>,
  validity: Validity
) =>
  documents.length === 0
    ? Effect.succeed<ReadonlyArray<SignedUpload>>([])
    : storage.signUploads(
        caller.organisationId,
        documents.map((document) => requestOf(policy, document)),
        validity
      )

/** Signs and returns the address of one document. */
export const signUpload = (
  storage: DocumentStorage["Service"],
  policy: UploadPolicySettings,
  caller: Caller,
  document: Document,
  validity: Validity
) =>
  Effect.flatMap(signUploads(storage, policy, caller, [document], validity), ([signed]) =>
    signed === undefined
      ? Effect.die(new Error("DocumentStorage.signUploads returned no address."))
      : Effect.succeed(toUploadAddress(signed, validity))
  )

/** The address as returned to callers. */
export const toUploadAddress = (signed: SignedUpload, { until }: Validity): UploadAddress => ({
  path: signed.path,
  token: signed.token,
  url: `${signed.path}?${signed.token}`,
  method: "PUT",
  headers: signed.headers,
  expiresAt: until
})
