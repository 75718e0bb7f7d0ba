/**
 * Sends files to storage, a few at a time, with their progress. It is no part of
 * a page, so that uploads go on while other pages are shown.
 */
import {
  type Document,
  type IssuedUpload,
  type SolarSitesClient,
  SolarSitesProblem,
  SolarSitesUploadError
} from "@solar-sites/http-node/client"
import { faultOf, inBatches, isFinal, isUnderWay, type Upload, type UploadTerms } from "./Upload.ts"

/** The part of the client that the queue uses. */
export interface UploadCalls {
  readonly uploads: SolarSitesClient["uploads"]
  readonly documents: Pick<
    SolarSitesClient["documents"],
    "changeStatus" | "delete" | "get" | "issueUploads" | "reissueUpload"
  >
}

const atOnce = 3

// Of one file. An hour is enough for the largest files on a slow line; the service bounds slow
// uploads itself.
const timeoutMillis = 3_600_000

const isCode = (error: unknown, code: string): boolean =>
  (error instanceof SolarSitesProblem || error instanceof SolarSitesUploadError) && error.code === code

export class UploadQueue {
  readonly #client: UploadCalls
  readonly #changed: (siteId: string) => void
  readonly #listeners = new Set<() => void>()
  readonly #stops = new Map<number, AbortController>()
  #uploads: ReadonlyArray<Upload> = []
  #nextId = 1
  #last: Promise<void> = Promise.resolve()

  /** `changed` is called after changes of a site's documents. */
  constructor(client: UploadCalls, changed: (siteId: string) => void) {
    this.#client = client
    this.#changed = changed
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly uploads = (): ReadonlyArray<Upload> => this.#uploads

  /**
   * Files of one drop go after those of the drop before, so that no address lapses in the queue.
   */
  add(files: ReadonlyArray<File>, terms: UploadTerms): void {
    const added = files.map((file) => this.#newUpload(file, terms, null))
    this.#show([...this.#uploads, ...added])
    for (const batch of inBatches(added)) this.#last = this.#last.then(() => this.#issueAndSend(batch))
  }

  /** Sends the file of a pending or failed document. */
  resend({ documentType, id, siteId }: Document, file: File): Promise<void> {
    const upload = this.#newUpload(file, { siteId, documentType, fileType: "documents" }, id)
    this.#show([...this.#uploads, { ...upload, state: "interrupted" }])
    return this.retry(upload.id)
  }

  /** Sends the file again, to a new address. */
  async retry(id: number): Promise<void> {
    const upload = this.#find(id)
    if (upload === undefined || isUnderWay(upload)) return
    this.#set(id, { state: "waiting", sentBytes: 0, fault: null })
    if (upload.documentId === null) return this.#issueAndSend([upload])
    try {
      await this.#send(id, await this.#client.documents.reissueUpload(upload.documentId))
    } catch (error) {
      // The service has found the file.
      if (isCode(error, "invalid_transition")) return this.#check(id, upload.documentId)
      // The document was deleted; the next try makes a new one.
      if (isCode(error, "document_not_found")) this.#set(id, { documentId: null })
      this.#interrupt(id, error)
    }
  }

  /**
   * Removes the upload from the list. An upload in progress is stopped and its document deleted.
   */
  dismiss(id: number): void {
    const upload = this.#find(id)
    this.#stops.get(id)?.abort()
    this.#show(this.#uploads.filter((other) => other.id !== id))
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
    this.#show([])
  }

  /** Removes finished uploads from the list. */
  dismissUploaded(siteId: string): void {
    this.#show(this.#uploads.filter(({ state, terms }) => state !== "uploaded" || terms.siteId !== siteId))
  }

  async #issueAndSend(added: ReadonlyArray<Upload>): Promise<void> {
    const batch = added.filter(({ id }) => this.#find(id) !== undefined)
    const [first] = batch
    if (first === undefined) return
    const { documentType, ...terms } = first.terms
    const files = batch.map(({ file }) => ({
      filename: file.name,
      mimeType: file.type,
      fileSize: file.size,
      documentType
    }))
    try {
      const { results } = await this.#client.documents.issueUploads({ ...terms, files })
      this.#changed(first.terms.siteId)
      const waiting = batch.flatMap(({ id }, index) => {
        const result = results[index]
        if (result === undefined || !result.success) {
          this.#set(id, { state: "refused", fault: result?.error ?? faultOf("no answer for this file") })
          return []
        }
        // Stopped while the address was on its way.
        if (this.#find(id) === undefined) {
          void this.#discard(result.documentId, first.terms.siteId)
          return []
        }
        this.#set(id, { documentId: result.documentId, madeDocument: true })
        return [{ id, result }]
      })
      const work = async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
          await this.#send(next.id, next.result)
      }
      await Promise.all(Array.from({ length: atOnce }, work))
    } catch (error) {
      for (const { id } of batch) this.#interrupt(id, error)
    }
  }

  async #send(id: number, issued: IssuedUpload): Promise<void> {
    const upload = this.#find(id)
    if (upload === undefined) return
    const stop = new AbortController()
    this.#stops.set(id, stop)
    this.#set(id, { state: "sending" })
    try {
      const onProgress = ({ sentBytes }: { readonly sentBytes: number }) => this.#set(id, { sentBytes })
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
    this.#set(id, { state: "checking" })
    try {
      const { failureReason, status } = await this.#lookAt(documentId)
      if (status === "failed") {
        this.#set(id, { state: "failed", fault: { code: "document_failed", detail: failureReason ?? "" } })
      } else this.#set(id, { state: "uploaded", sentBytes: this.#find(id)?.file.size ?? 0 })
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
    this.#set(id, { state: isFinal(fault) ? "refused" : "interrupted", fault })
    this.#changedOf(id)
  }

  #newUpload(file: File, terms: UploadTerms, documentId: string | null): Upload {
    return {
      id: this.#nextId++,
      file,
      terms,
      state: "waiting",
      sentBytes: 0,
      documentId,
      madeDocument: false,
      fault: null
    }
  }

  #changedOf(id: number): void {
    const upload = this.#find(id)
    if (upload !== undefined) this.#changed(upload.terms.siteId)
  }

  #find(id: number): Upload | undefined {
    return this.#uploads.find((upload) => upload.id === id)
  }

  #set(id: number, change: Partial<Upload>): void {
    this.#show(this.#uploads.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)))
  }

  #show(uploads: ReadonlyArray<Upload>): void {
    this.#uploads = uploads
    for (const listener of this.#listeners) listener()
  }
}
