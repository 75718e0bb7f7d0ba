/**
 * Sends files to storage, a few at a time. It is no part of a page, so that uploads go on while
 * other pages are shown.
 */
import { maximumUploadFiles } from "@solar-sites/core/model"
import {
  type Document,
  type IssuedUpload,
  type SolarSitesClient,
  SolarSitesProblem,
  SolarSitesUploadError
} from "@solar-sites/http-node/client"
import { inBatches } from "../lists/inBatches.ts"
import { uploadTexts as texts } from "../texts/en/uploads.ts"
import { eachAtOnce } from "./eachAtOnce.ts"
import { canRetry, faultOf, isFinal, isUnderWay, type NewUpload, type Upload } from "./Upload.ts"
import { fileOf, groupOf } from "./UploadRequests.ts"
import { UploadStore } from "./UploadStore.ts"

/** The part of the client that the queue uses. */
export interface UploadCalls {
  readonly uploads: SolarSitesClient["uploads"]
  readonly documents: Pick<
    SolarSitesClient["documents"],
    "changeStatus" | "delete" | "get" | "issueUploads" | "reissueUpload"
  >
}

// Time limit of one file. An hour is enough for the largest files on a slow line; the service bounds slow
// uploads itself.
const timeoutMillis = 3_600_000

// Addresses are valid for 60 s from their issue, when the request starts.
const freshMillis = 50_000

const isCode = (error: unknown, code: string): boolean =>
  (error instanceof SolarSitesProblem || error instanceof SolarSitesUploadError) && error.code === code

export class UploadQueue {
  readonly #client: UploadCalls
  readonly #changed: (siteId: string) => void
  readonly #now: () => number
  readonly #store: UploadStore
  readonly #stops = new Map<number, AbortController>()
  #last: Promise<void> = Promise.resolve()

  /** `changed` is called after changes of a site's documents; `now` is in milliseconds. */
  constructor(
    client: UploadCalls,
    changed: (siteId: string) => void,
    now = () => performance.now(),
    store = new UploadStore()
  ) {
    this.#client = client
    this.#store = store
    this.#changed = changed
    this.#now = now
  }

  readonly uploads = (): ReadonlyArray<Upload> => this.#store.uploads()

  /** Twenty files at a time get addresses, after those before were sent, so that few addresses lapse. */
  add(files: ReadonlyArray<NewUpload>): void {
    this.#enqueue(files.map((file) => this.#store.add(file)))
  }

  #enqueue(uploads: ReadonlyArray<Upload>): void {
    for (const group of Map.groupBy(uploads, groupOf).values()) {
      for (const batch of inBatches(group, maximumUploadFiles))
        this.#last = this.#last.then(() => this.#issueAndSend(batch))
    }
  }

  /** Sends the file of a pending or failed document. */
  resend({ documentType, id, omRecordId, siteId, type, validFrom, validUntil }: Document, file: File): Promise<void> {
    const purpose = type === "report" ? "documents" : type
    const terms = { siteId, purpose, omRecordId, documentType, validFrom, validUntil, replaces: null }
    return this.retry(this.#store.add({ file, sizeBytes: file.size, terms }, id).id)
  }

  /** Sends the file again, to a new address. */
  async retry(id: number): Promise<void> {
    const upload = this.#store.find(id)
    if (upload === undefined || !canRetry(upload)) return
    this.#store.set(id, { state: "waiting", sentBytes: 0, fault: null })
    if (upload.documentId === null) return this.#issueAndSend([upload])
    await this.#sendAgain(id, upload.documentId)
  }

  /** Sends all files of the site again that have not arrived. */
  async retryAll(siteId: string): Promise<void> {
    const again = this.uploads().filter((upload) => upload.terms.siteId === siteId && canRetry(upload))
    const isNew = ({ documentId }: Upload) => documentId === null
    for (const { id } of again.filter(isNew)) this.#store.set(id, { state: "waiting", sentBytes: 0, fault: null })
    this.#enqueue(again.filter(isNew))
    await eachAtOnce(
      again.filter((upload) => !isNew(upload)),
      ({ id }) => this.retry(id)
    )
  }

  /**
   * Stops an upload in progress, and deletes its document. The file stays in the list as another
   * upload, which late answers to this one do not change.
   */
  stop(id: number): void {
    const upload = this.#store.find(id)
    if (upload === undefined || !isUnderWay(upload)) return
    const { documentId, file, madeDocument, sizeBytes, terms } = upload
    this.dismiss(id)
    this.#store.add({ file, sizeBytes, terms }, madeDocument ? null : documentId, "stopped")
  }

  /** Removes the upload from the list. An upload in progress is stopped and its document deleted. */
  dismiss(id: number): void {
    const upload = this.#store.find(id)
    this.#stops.get(id)?.abort()
    this.#store.remove((other) => other.id === id)
    if (upload === undefined || upload.documentId === null) return
    if (isUnderWay(upload) && upload.madeDocument) void this.#discard(upload.documentId, upload.terms.siteId)
    else this.#changed(upload.terms.siteId)
  }

  /** A document that cannot be deleted now stays in the list of documents, with its own menu. */
  async #discard(documentId: string, siteId: string): Promise<void> {
    await this.#client.documents.delete(documentId).catch(() => {})
    this.#changed(siteId)
  }

  /** Stops all uploads and forgets them. */
  clear(): void {
    for (const stop of this.#stops.values()) stop.abort()
    this.#store.remove(() => true)
  }

  /** Removes uploads of the site that have ended in this state. */
  dismissEnded(siteId: string, ended: "uploaded" | "stopped"): void {
    this.#store.remove(({ state, terms }) => state === ended && siteId === terms.siteId)
  }

  async #issueAndSend(added: ReadonlyArray<Upload>): Promise<void> {
    const batch = added.filter(({ id }) => this.#store.find(id) !== undefined)
    const [first] = batch
    if (first === undefined) return
    const { omRecordId, purpose, siteId } = first.terms
    const files = batch.map(fileOf)
    try {
      const { results } = await this.#client.documents.issueUploads(
        purpose === "om-documents"
          ? { siteId, fileType: purpose, omRecordId: omRecordId ?? "", files }
          : { siteId, fileType: purpose, files }
      )
      const issuedAt = this.#now()
      this.#changed(siteId)
      const issued = batch.flatMap(({ id }, index) => {
        const result = results[index]
        if (result === undefined || !result.success) {
          this.#store.set(id, { state: "refused", fault: result?.error ?? faultOf(texts.noAnswer) })
          return []
        }
        // Stopped while the address was on its way.
        if (this.#store.find(id) === undefined) {
          void this.#discard(result.documentId, siteId)
          return []
        }
        this.#store.set(id, { documentId: result.documentId, madeDocument: true })
        return [{ id, result }]
      })
      await eachAtOnce(issued, ({ id, result }) =>
        this.#now() - issuedAt < freshMillis ? this.#send(id, result) : this.#sendAgain(id, result.documentId)
      )
    } catch (error) {
      for (const { id } of batch) this.#interrupt(id, error)
    }
  }

  async #sendAgain(id: number, documentId: string): Promise<void> {
    if (this.#store.find(id) === undefined) return
    try {
      await this.#send(id, await this.#client.documents.reissueUpload(documentId))
    } catch (error) {
      // The service has found the file.
      if (isCode(error, "invalid_transition")) return this.#check(id, documentId)
      // The document was deleted; the next try makes a new one.
      if (isCode(error, "document_not_found")) this.#store.set(id, { documentId: null })
      this.#interrupt(id, error)
    }
  }

  async #send(id: number, issued: IssuedUpload): Promise<void> {
    const upload = this.#store.find(id)
    if (upload === undefined) return
    const stop = new AbortController()
    this.#stops.set(id, stop)
    this.#store.set(id, { state: "sending" })
    try {
      const onProgress = ({ sentBytes }: { readonly sentBytes: number }) => this.#store.set(id, { sentBytes })
      await this.#client.uploads.send(issued, upload.file, { onProgress, signal: stop.signal, timeoutMillis })
      await this.#check(id, issued.documentId)
    } catch (error) {
      if (isCode(error, "already_uploaded")) return this.#check(id, issued.documentId)
      this.#interrupt(id, error, issued.uploadUrl.url)
    } finally {
      this.#stops.delete(id)
    }
  }

  /** Has the service look for the file at once, and shows the state that the document has then. */
  async #check(id: number, documentId: string): Promise<void> {
    this.#store.set(id, { state: "checking" })
    try {
      const { failureReason, status } = await this.#lookAt(documentId)
      if (status === "failed") {
        this.#store.set(id, { state: "failed", fault: { code: "document_failed", detail: failureReason ?? "" } })
      } else this.#store.set(id, { state: "uploaded", sentBytes: this.#store.find(id)?.sizeBytes ?? 0 })
      this.#changedOf(id)
    } catch (error) {
      this.#interrupt(id, error)
    }
  }

  async #lookAt(documentId: string): Promise<Document> {
    try {
      return await this.#client.documents.changeStatus(documentId, { status: "uploaded" })
    } catch (error) {
      // The document has left `pending` already: it was approved or completed meanwhile, or it has
      // failed.
      if (isCode(error, "invalid_transition")) return this.#client.documents.get(documentId)
      throw error
    }
  }

  #interrupt(id: number, error: unknown, url?: string): void {
    const fault = faultOf(error, url)
    this.#store.set(id, { state: isFinal(fault) ? "refused" : "interrupted", fault })
    this.#changedOf(id)
  }

  #changedOf(id: number): void {
    const upload = this.#store.find(id)
    if (upload !== undefined) this.#changed(upload.terms.siteId)
  }
}
