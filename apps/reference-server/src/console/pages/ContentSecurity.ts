/** Content security policy of the console's pages. */
import { DocumentStorage, OrganisationId, type StorageError, storageKey } from "@solar-sites/core"
import { DateTime, Effect } from "effect"

/** Further allowed origins. */
export interface OtherOrigins {
  readonly storage: string | undefined
  readonly tiles: string | undefined
}

export const contentSecurityPolicy = (nonce: string, { storage, tiles }: OtherOrigins): string => {
  const sources = (...all: ReadonlyArray<string | undefined>) => all.filter((source) => source !== undefined).join(" ")
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    // Cover images can have any https address.
    `img-src ${sources("'self'", "data:", "blob:", "https:", storage, tiles)}`,
    `connect-src ${sources("'self'", storage)}`,
    "font-src 'self'",
    // Previews of PDF files. Pages make such addresses for the type application/pdf only.
    "frame-src blob:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'"
  ].join("; ")
}

// The nil UUID belongs to no organisation: real ids are UUIDs of version 7.
const nil = "00000000-0000-0000-0000-000000000000"
const noOrganisation = OrganisationId.make(nil)
const absentFile = {
  key: storageKey({ organisationId: noOrganisation, siteId: nil, documentId: nil }),
  mimeType: null,
  filename: null
}

/** Origin of the storage, taken from an address that it signs. */
export const storageOrigin: Effect.Effect<string, StorageError, DocumentStorage> = Effect.gen(function* () {
  const storage = yield* DocumentStorage
  const from = yield* DateTime.now
  const address = yield* storage.signDownload(noOrganisation, absentFile, {
    from,
    until: DateTime.add(from, { minutes: 1 })
  })
  return new URL(address).origin
})
