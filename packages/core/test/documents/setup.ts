/**
 * What the tests of documents share: a person with a site, files on their way to
 * it, and storage that can be broken.
 */
import {
  CurrentCaller,
  DocumentId,
  DocumentStorage,
  Documents,
  type IssuedUpload,
  IssueUploads,
  Sites,
  SolarSitesServices,
  StorageError,
  type StorageKey
} from "@solar-sites/core"
import { MemoryAdapters, StorageClient } from "@solar-sites/testing"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { aPerson } from "../services.ts"

export const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => index % 251)

export const setup = Effect.gen(function* () {
  const [documents, sites, client] = [yield* Documents, yield* Sites, yield* StorageClient]
  const person = yield* aPerson
  const asPerson = Effect.provideService(CurrentCaller, person)
  const site = yield* sites.create({ siteName: "Long Meadow", capacity: 1, unit: "kW" }).pipe(asPerson)

  const issue = (...files: ReadonlyArray<Record<string, unknown>>) => issueAs("documents", ...files)
  const issueAs = (fileType: string, ...files: ReadonlyArray<Record<string, unknown>>) => {
    const all = files.map((file) => ({ filename: "lease.pdf", mimeType: "application/pdf", ...file }))
    const input = Schema.decodeUnknownSync(IssueUploads)({ siteId: site.id, fileType, omRecordId: "OM-1", files: all })
    return documents.issueUploads(input).pipe(asPerson)
  }
  const issueOne = (file: Record<string, unknown> = {}, fileType = "documents") =>
    Effect.map(issueAs(fileType, file), ({ results: [result] }) => {
      if (result?.success !== true) throw new Error("one address was expected")
      return result
    })
  const send = ({ uploadUrl }: IssuedUpload, body: Uint8Array) =>
    Effect.map(client.put({ url: uploadUrl.url, headers: uploadUrl.headers, body }), ({ status }) => status < 300)

  /** Sends a file as a storage without bound lengths would take it: to another address of the same key. */
  const sendLoosely = Effect.fnUntraced(function* (upload: IssuedUpload, body: Uint8Array, at?: StorageKey) {
    const key = at ?? (yield* documents.get(upload.documentId).pipe(asPerson)).path
    const request = { key, mimeType: "application/pdf", sizeBytes: null, maximumBytes: 100 }
    const validity = { from: DateTime.makeUnsafe(0), until: upload.uploadUrl.expiresAt }
    const [loose] = yield* (yield* DocumentStorage).signUploads(person.organisationId, [request], validity)
    if (loose === undefined) throw new Error("one address was expected")
    const uploadUrl = { ...upload.uploadUrl, ...loose, url: `${loose.path}?${loose.token}` }
    return yield* send({ ...upload, uploadUrl }, body)
  })

  return { documents, sites, client, person, asPerson, site, issue, issueAs, issueOne, send, sendLoosely }
})

/** All services over memory; while `state.down` is true, storage answers nothing and signs nothing. */
export const breakableServices = () => {
  const state = { down: false }
  const failing =
    <Arguments extends ReadonlyArray<unknown>, A>(method: (...args: Arguments) => Effect.Effect<A, StorageError>) =>
    (...args: Arguments) =>
      Effect.suspend(() =>
        state.down
          ? Effect.fail(new StorageError({ operation: "test", reason: "unavailable", cause: new Error("down") }))
          : method(...args)
      )
  const broken = Layer.effectContext(
    Effect.map(Layer.build(MemoryAdapters.layer), (context) => {
      const storage = Context.get(context, DocumentStorage)
      return Context.add(context, DocumentStorage, {
        signUploads: failing(storage.signUploads),
        signDownload: failing(storage.signDownload),
        inspect: failing(storage.inspect),
        findUploading: failing(storage.findUploading),
        delete: failing(storage.delete),
        list: failing(storage.list)
      })
    })
  )
  return { state, layer: SolarSitesServices.layer.pipe(Layer.provideMerge(broken)) }
}

export const anyDocumentId = DocumentId.make("0193e6f4-1c2d-7a3b-8c4d-5e6f708192a3")
