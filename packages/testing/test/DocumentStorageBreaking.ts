/**
 * How the in-memory storage, or the client that reaches it, is broken on purpose.
 */
import { DocumentStorage, parseStorageKey, StorageKey } from "@solar-sites/core"
import { StorageClient } from "@solar-sites/testing"
import { Context, Effect, Option } from "effect"
import { replacing } from "./DocumentBreaking.ts"

export type Ports = DocumentStorage | StorageClient
export type Storage = DocumentStorage["Service"]

const breaking = replacing<Ports>()
export const inStorage = (replace: (intact: Storage) => Partial<Storage>) => breaking(DocumentStorage, replace)
export const inClient = (
  replace: (intact: StorageClient["Service"], storage: Storage) => Partial<StorageClient["Service"]>
) => breaking(StorageClient, (intact, context) => replace(intact, Context.get(context, DocumentStorage)))

export const ownerOf = (key: StorageKey) => Option.getOrThrow(parseStorageKey(key)).organisationId
export const keyIn = (url: string): StorageKey => StorageKey.make(new URL(url).pathname.slice(1))

/** The storage that remembers the last address it signed for a path, for a client that knows better. */
export const remembering = (
  replace: (
    client: StorageClient["Service"],
    signed: Map<string, { readonly token: string; readonly headers: Readonly<Record<string, string>> }>,
    storage: Storage
  ) => Partial<StorageClient["Service"]>
) => {
  const signed = new Map<string, { readonly token: string; readonly headers: Readonly<Record<string, string>> }>()
  const storing = inStorage(({ signUploads }) => ({
    signUploads: (...request) =>
      Effect.tap(signUploads(...request), (uploads) =>
        Effect.sync(() => {
          for (const upload of uploads)
            signed.set(upload.path, upload).set(upload.token, { ...upload, token: upload.path })
        })
      )
  }))
  return (context: Context.Context<Ports>) =>
    inClient((client, storage) => replace(client, signed, storage))(storing(context))
}
