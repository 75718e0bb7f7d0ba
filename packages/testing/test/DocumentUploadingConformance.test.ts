import type { StorageKey } from "@solar-sites/core"
import { documentStorageMaximumConformance, MemoryDocumentStorage } from "@solar-sites/testing"
import { Effect } from "effect"
import { notices } from "./DocumentBreaking.ts"
import { inStorage, ownerOf } from "./DocumentStorageBreaking.ts"

const underWay = "finds a running upload, for its organisation only, until it ends"

notices(documentStorageMaximumConformance, MemoryDocumentStorage.layer, [
  {
    breakage: "counts nothing",
    breaks: inStorage(({ signUploads }) => ({
      signUploads: (owner, uploads, valid) =>
        signUploads(
          owner,
          uploads.map((upload) => ({ ...upload, maximumBytes: Number.MAX_SAFE_INTEGER })),
          valid
        )
    })),
    noticedBy: ["refuses more bytes than the maximum, with or without a declared length, and stores nothing"]
  },
  {
    breakage: "knows of no upload under way",
    breaks: inStorage(() => ({ findUploading: () => Effect.succeed(new Set()) })),
    noticedBy: [underWay]
  },
  {
    breakage: "takes every key for one with an upload under way",
    breaks: inStorage(() => ({ findUploading: (_, keys) => Effect.succeed(new Set(keys)) })),
    noticedBy: [underWay]
  },
  {
    breakage: "finds the uploads of all organisations",
    breaks: inStorage(({ findUploading }) => ({
      findUploading: (_, keys) =>
        Effect.map(
          Effect.forEach(keys, (key) => findUploading(ownerOf(key), [key])),
          (found) => new Set(found.flatMap((one) => [...one]))
        )
    })),
    noticedBy: [underWay]
  },
  {
    breakage: "finds uploads that have ended",
    breaks: (context) => {
      const begun = new Set<StorageKey>()
      return inStorage(({ findUploading }) => ({
        findUploading: (owner, keys) =>
          Effect.map(findUploading(owner, keys), (found) => {
            for (const key of found) begun.add(key)
            return new Set(keys.filter((key) => begun.has(key) && ownerOf(key) === owner))
          })
      }))(context)
    },
    noticedBy: [underWay]
  }
])
