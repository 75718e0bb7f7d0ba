import { documentStorageConformance, MemoryDocumentStorage } from "@solar-sites/testing"
import { Effect, Option } from "effect"
import { notices } from "./DocumentBreaking.ts"
import { inClient, inStorage, ownerOf } from "./DocumentStorageBreaking.ts"

const attachments = "returns a file as an attachment with its original name, for any name"
const pages = "lists in ascending order of key, in pages of any size"

const headerOf = (change: (header: string) => string) =>
  inClient(({ get }) => ({
    get: (...request) =>
      Effect.map(get(...request), (answer) => {
        const header = answer.headers["content-disposition"]
        if (header === undefined) return answer
        return { ...answer, headers: { ...answer.headers, "content-disposition": change(header) } }
      })
  }))

notices(documentStorageConformance, MemoryDocumentStorage.layer, [
  {
    breakage: "inspects without regard to the organisation",
    breaks: inStorage(({ inspect }) => ({ inspect: (_, key) => inspect(ownerOf(key), key) })),
    noticedBy: ["hides files from every other organisation"]
  },
  {
    breakage: "deletes without regard to the organisation",
    breaks: inStorage((intact) => ({
      delete: (_, keys) => Effect.forEach(keys, (key) => intact.delete(ownerOf(key), [key]), { discard: true })
    })),
    noticedBy: ["deletes nothing that is another organisation's"]
  },
  {
    breakage: "deletes only what is there",
    breaks: inStorage((intact) => ({
      delete: (owner, keys) =>
        Effect.forEach(
          keys,
          (key) =>
            Effect.flatMap(intact.inspect(owner, key), (found) =>
              Option.isSome(found) ? intact.delete(owner, [key]) : Effect.die(new Error("absent"))
            ),
          { discard: true }
        )
    })),
    noticedBy: ["deletes the files at the keys and ignores absent ones"]
  },
  {
    breakage: "deletes the first thousand",
    breaks: inStorage((intact) => ({ delete: (owner, keys) => intact.delete(owner, keys.slice(0, 1_000)) })),
    noticedBy: ["deletes many files at once"]
  },
  {
    breakage: "lists the latest first",
    breaks: inStorage(({ list }) => ({
      list: (...request) =>
        Effect.map(list(...request), ({ hasMore, items }) => ({ items: items.toReversed(), hasMore }))
    })),
    noticedBy: [pages]
  },
  {
    breakage: "takes every full page for one that is followed",
    breaks: inStorage(({ list }) => ({
      list: (owner, page) =>
        Effect.map(list(owner, page), ({ items }) => ({ items, hasMore: items.length === page.limit }))
    })),
    noticedBy: [pages]
  },
  {
    breakage: "knows of no further page",
    breaks: inStorage(({ list }) => ({
      list: (...request) => Effect.map(list(...request), ({ items }) => ({ items, hasMore: false }))
    })),
    noticedBy: [pages]
  },
  {
    breakage: "keeps files as text",
    breaks: inClient(({ get }) => ({
      get: (url) =>
        Effect.map(get(url), (answer) => ({ ...answer, body: Buffer.from(Buffer.from(answer.body).toString("utf8")) }))
    })),
    noticedBy: [
      "keeps a file byte by byte, with or without a declared length",
      "accepts a new content after the first one was deleted"
    ]
  },
  {
    breakage: "reports one type for all",
    breaks: inStorage(({ inspect }) => ({
      inspect: (...where) =>
        Effect.map(
          inspect(...where),
          Option.map((found) => ({ ...found, mimeType: "application/octet-stream" }))
        )
    })),
    noticedBy: ["reports the size of a stored file, and its type if it knows one"]
  },
  {
    breakage: "returns the stored type for every request",
    breaks: inStorage(({ signDownload }) => ({
      signDownload: (owner, download, valid) => signDownload(owner, { ...download, mimeType: null }, valid)
    })),
    noticedBy: ["answers with the media type that is asked for, or the one it was stored with"]
  },
  {
    breakage: "makes every download an attachment",
    breaks: inStorage(({ signDownload }) => ({
      signDownload: (owner, download, valid) =>
        signDownload(owner, { ...download, filename: download.filename ?? "download" }, valid)
    })),
    noticedBy: ["returns a file inline when no name is requested"]
  },
  {
    breakage: "writes names into the header as they are",
    breaks: headerOf((header) => `attachment; filename="${decodeURIComponent(header.split("UTF-8''")[1] ?? "")}"`),
    noticedBy: [attachments]
  },
  {
    breakage: "returns the ASCII name only",
    breaks: headerOf((header) => header.replace(/; filename\*=.*/, "")),
    noticedBy: [attachments]
  },
  {
    breakage: "encodes names twice",
    breaks: headerOf((header) => header.replace(/(UTF-8''.*)%/, "$1%25")),
    noticedBy: [attachments]
  },
  {
    breakage: "answers an empty file where there is none",
    breaks: inClient(({ get }) => ({
      get: (url) => Effect.map(get(url), (answer) => (answer.status === 404 ? { ...answer, status: 200 } : answer))
    })),
    noticedBy: [
      "returns nothing for an absent file",
      "does not extend an expired address by a changed token",
      "finds nothing where nothing was uploaded"
    ]
  }
])
