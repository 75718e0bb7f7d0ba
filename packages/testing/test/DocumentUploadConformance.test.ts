import { documentStorageConformance, MemoryDocumentStorage } from "@solar-sites/testing"
import { DateTime, Effect, Option } from "effect"
import { notices } from "./DocumentBreaking.ts"
import { inClient, inStorage, keyIn, ownerOf, remembering } from "./DocumentStorageBreaking.ts"

const twelve = "accepts one of twelve concurrent uploads, and keeps that one's content"
const never = "never replaces the first content"
const late = "refuses an upload after its address has lapsed"
const broken = "keeps nothing of an aborted upload, and accepts a complete one afterwards"
const empty = "accepts an empty file"

notices(documentStorageConformance, MemoryDocumentStorage.layer, [
  {
    breakage: "answers a batch in another order",
    breaks: inStorage(({ signUploads }) => ({
      signUploads: (...request) => Effect.map(signUploads(...request), (signed) => signed.toReversed())
    })),
    noticedBy: ["signs a batch of twenty in its order, each for its own key"]
  },
  {
    breakage: "signs no length",
    breaks: inStorage(({ signUploads }) => ({
      signUploads: (owner, uploads, valid) =>
        signUploads(
          owner,
          uploads.map((upload) => ({ ...upload, sizeBytes: null })),
          valid
        )
    })),
    noticedBy: ["refuses another length than the declared one", "refuses content where an empty file was declared"]
  },
  {
    breakage: "takes a declared length of zero for none",
    breaks: inStorage(({ signUploads }) => ({
      signUploads: (owner, uploads, valid) =>
        signUploads(
          owner,
          uploads.map((upload) => ({ ...upload, sizeBytes: upload.sizeBytes || null })),
          valid
        )
    })),
    noticedBy: ["refuses content where an empty file was declared"]
  },
  {
    breakage: "takes any media type",
    breaks: remembering(({ put }, signed) => ({
      put: (request) => put({ ...request, headers: signed.get(request.url.split("?")[0] ?? "")?.headers ?? {} })
    })),
    noticedBy: ["refuses another media type than the declared one"]
  },
  {
    breakage: "takes a content coding and does not tell it",
    breaks: inClient(({ put }) => ({
      put: ({ headers: { "content-encoding": _, ...headers }, ...request }) => put({ ...request, headers })
    })),
    noticedBy: ["reports the content coding of a file, or refuses files with one"]
  },
  {
    breakage: "signs for ever",
    breaks: inStorage(({ signDownload, signUploads }) => ({
      signUploads: (owner, uploads, { from, until }) =>
        signUploads(owner, uploads, { from, until: DateTime.add(until, { years: 1 }) }),
      signDownload: (owner, download, { from, until }) =>
        signDownload(owner, download, { from, until: DateTime.add(until, { years: 1 }) })
    })),
    noticedBy: [late, "refuses a download after its address has lapsed"]
  },
  {
    breakage: "signs every address for a minute",
    breaks: inStorage(({ signDownload }) => ({
      signDownload: (owner, download, { from }) =>
        signDownload(owner, download, { from, until: DateTime.add(from, { minutes: 1 }) })
    })),
    noticedBy: ["is valid for the requested time, not a fixed one"]
  },
  {
    breakage: "takes a token for any key",
    breaks: remembering(({ put }, signed) => ({
      put: (request) => {
        const token = request.url.split("?")[1] ?? ""
        return put({ ...request, url: `${signed.get(token)?.token}?${token}` })
      }
    })),
    noticedBy: ["refuses the token of one key at another key"]
  },
  {
    breakage: "takes any token",
    breaks: remembering(({ put }, signed) => ({
      put: (request) => {
        const path = request.url.split("?")[0] ?? ""
        return put({ ...request, url: `${path}?${signed.get(path)?.token}` })
      }
    })),
    noticedBy: ["refuses a token with any part changed or removed", "refuses the token of one key at another key"]
  },
  {
    breakage: "replaces a stored file",
    breaks: inClient(({ put }, storage) => ({
      put: (request) => {
        const key = keyIn(request.url)
        return Effect.andThen(Effect.orDie(storage.delete(ownerOf(key), [key])), put(request))
      }
    })),
    noticedBy: [never]
  },
  {
    breakage: "looks a moment before it stores",
    breaks: inClient(({ put }, storage) => ({
      put: Effect.fnUntraced(function* (request) {
        const key = keyIn(request.url)
        const found = yield* Effect.orDie(storage.inspect(ownerOf(key), key))
        if (Option.isSome(found)) return { status: 412 }
        yield* Effect.yieldNow
        return yield* put(request).pipe(Effect.map(({ status }) => ({ status: status === 412 ? 200 : status })))
      })
    })),
    noticedBy: [twelve]
  },
  {
    breakage: "refuses an empty body",
    breaks: inClient(({ put }) => ({
      put: (request) => (request.body.length === 0 ? Effect.succeed({ status: 411 }) : put(request))
    })),
    noticedBy: [empty]
  },
  {
    breakage: "takes an empty file for an absent one",
    breaks: inStorage(({ inspect }) => ({
      inspect: (...where) =>
        Effect.map(
          inspect(...where),
          Option.filter(({ sizeBytes }) => sizeBytes > 0)
        )
    })),
    noticedBy: [empty]
  },
  {
    breakage: "shows what has come so far",
    breaks: (context) => {
      const arriving = new Set<string>()
      const showing = inStorage(({ inspect }) => ({
        inspect: (owner, key) =>
          arriving.has(key)
            ? Effect.succeed(Option.some({ sizeBytes: 1, mimeType: null, contentCoding: null }))
            : inspect(owner, key)
      }))
      return inClient(({ put }) => ({
        put: (request) => {
          const key = keyIn(request.url)
          return Effect.sync(() => arriving.add(key)).pipe(
            Effect.andThen(put(request)),
            Effect.ensuring(Effect.sync(() => arriving.delete(key)))
          )
        }
      }))(showing(context))
    },
    noticedBy: ["shows an upload only when it is complete"]
  },
  {
    breakage: "keeps what came of an upload that broke off",
    breaks: inClient(({ put }) => ({
      breakOff: (request) => Effect.asVoid(put({ ...request, body: request.body.subarray(0, -1) }))
    })),
    noticedBy: [broken]
  },
  {
    breakage: "takes nothing more where an upload broke off",
    breaks: (context) => {
      const spent = new Set<string>()
      return inClient(({ put }) => ({
        breakOff: ({ url }) => Effect.sync(() => void spent.add(keyIn(url))),
        put: (request) => (spent.has(keyIn(request.url)) ? Effect.succeed({ status: 412 }) : put(request))
      }))(context)
    },
    noticedBy: [broken]
  },
  {
    breakage: "signs for every organisation",
    breaks: inStorage(({ signDownload, signUploads }) => ({
      signUploads: (_, uploads, valid) =>
        Effect.map(
          Effect.forEach(uploads, (upload) => signUploads(ownerOf(upload.key), [upload], valid)),
          (signed) => signed.flat()
        ),
      signDownload: (_, download, valid) => signDownload(ownerOf(download.key), download, valid)
    })),
    noticedBy: ["signs nothing that reaches another organisation's files"]
  },
  {
    breakage: "accepts upload addresses for downloads",
    breaks: remembering(({ get }, signed, storage) => ({
      get: Effect.fnUntraced(function* (url) {
        const [path = "", token] = url.split("?")
        if (signed.get(path)?.token !== token) return yield* get(url)
        const now = yield* DateTime.now
        const valid = { from: now, until: DateTime.add(now, { minutes: 1 }) }
        const download = { key: keyIn(url), mimeType: null, filename: null }
        return yield* get(yield* Effect.orDie(storage.signDownload(ownerOf(keyIn(url)), download, valid)))
      })
    })),
    noticedBy: ["refuses downloads with upload addresses and uploads with download addresses"]
  }
])
