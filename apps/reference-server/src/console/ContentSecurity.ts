/**
 * The content security policy of the console's pages.
 */
import { DocumentStorage, OrganisationId, type StorageError, storageKey } from "@solar-sites/core"
import { DateTime, Effect } from "effect"

/** Origins beside our own; `undefined` where there is none. */
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
    // Cover images can be at any https address.
    `img-src ${sources("'self'", "data:", "blob:", "https:", storage, tiles)}`,
    `connect-src ${sources("'self'", storage)}`,
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'"
  ].join("; ")
}

// No organisation has it: real ids are of version 7.
const nil = "00000000-0000-0000-0000-000000000000"
const noOrganisation = OrganisationId.make(nil)
const nothing = {
  key: storageKey({ organisationId: noOrganisation, siteId: nil, documentId: nil }),
  mimeType: null,
  filename: null
}

/**
 * Where files are sent to and fetched from, which only the storage itself knows:
 * the origin of an address that it signs.
 */
export const storageOrigin: Effect.Effect<string, StorageError, DocumentStorage> = Effect.gen(function* () {
  const storage = yield* DocumentStorage
  const from = yield* DateTime.now
  const address = yield* storage.signDownload(noOrganisation, nothing, {
    from,
    until: DateTime.add(from, { minutes: 1 })
  })
  return new URL(address).origin
})
