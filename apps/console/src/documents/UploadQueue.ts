/**
 * Sends files to storage, a few at a time, and tells how far each has come. It
 * lives beside the pages, so that uploads go on while somebody looks elsewhere.
 */
import {
  type Document,
  type IssuedUpload,
  type SolarSitesClient,
  SolarSitesProblem,
  SolarSitesUploadError
} from "@solar-sites/http-node/client"
import { faultOf, inBatches, isFinal, isUnderWay, type Upload, type UploadTerms } from "./Upload.ts"

/** What sending needs of the client. */
export interface UploadCalls {
  readonly uploads: SolarSitesClient["uploads"]
  readonly documents: { readonly changeStatus: (...args: ChangeStatus) => Promise<unknown> }
}

type ChangeStatus = Parameters<SolarSitesClient["documents"]["changeStatus"]>

const atOnce = 3

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

  /** `changed` is called when there is something new to see of a site's documents. */
  constructor(client: UploadCalls, changed: (siteId: string) => void) {
    this.#client = client
    this.#changed = changed
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly uploads = (): ReadonlyArray<Upload> => this.#uploads

  /** Files of one drop go after those of the drop before, so that no address lapses while it waits. */
  add(files: ReadonlyArray<File>, terms: UploadTerms): void {
    const added = files.map((file) => this.#newUpload(file, terms, null))
    this.#show([...this.#uploads, ...added])
    for (const batch of inBatches(added)) this.#last = this.#last.then(() => this.#issueAndSend(batch))
  }

  /** Sends the file of a document that still waits for it, or has failed. */
  resend({ documentType, id, siteId }: Document, file: File): Promise<void> {
    const upload = this.#newUpload(file, { siteId, documentType, fileType: "documents" }, id)
    this.#show([...this.#uploads, { ...upload, state: "interrupted" }])
    return this.retry(upload.id)
  }

  /** Once more, to a new address. */
  async retry(id: number): Promise<void> {
    const upload = this.#find(id)
    if (upload === undefined || isUnderWay(upload)) return
    this.#set(id, { state: "waiting", sentBytes: 0, fault: null })
    if (upload.documentId === null) return this.#issueAndSend([upload])
    try {
      await this.#send(id, await this.#client.uploads.reissue(upload.documentId))
    } catch (error) {
      // The service has looked, and the file is there.
      if (isCode(error, "invalid_transition")) return this.#check(id, upload.documentId)
      // Somebody has deleted the document; the next try makes a new one.
      if (isCode(error, "document_not_found")) this.#set(id, { documentId: null })
      this.#interrupt(id, error)
    }
  }

  /** Takes it off the list; what is still being sent is broken off. */
  dismiss(id: number): void {
    const upload = this.#find(id)
    this.#stops.get(id)?.abort()
    this.#show(this.#uploads.filter((other) => other.id !== id))
    if (upload?.documentId != null) this.#changed(upload.terms.siteId)
  }

  /** Breaks everything off and forgets it. */
  clear(): void {
    for (const stop of this.#stops.values()) stop.abort()
    this.#show([])
  }

  /** Takes off the list what has arrived. */
  dismissUploaded(siteId: string): void {
    this.#show(this.#uploads.filter(({ state, terms }) => state !== "uploaded" || terms.siteId !== siteId))
  }

  async #issueAndSend(batch: ReadonlyArray<Upload>): Promise<void> {
    const [first] = batch.filter(({ id }) => this.#find(id) !== undefined)
    if (first === undefined) return
    const { documentType, ...terms } = first.terms
    const files = batch.map(({ file }) => ({
      filename: file.name,
      mimeType: file.type,
      fileSize: file.size,
      documentType
    }))
    try {
      const { results } = await this.#client.uploads.issue({ ...terms, files })
      this.#changed(first.terms.siteId)
      const waiting = batch.flatMap(({ id }, index) => {
        const result = results[index]
        if (result === undefined || !result.success) {
          this.#set(id, { state: "refused", fault: result?.error ?? faultOf("no answer for this file") })
          return []
        }
        this.#set(id, { documentId: result.documentId })
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
      await this.#client.uploads.send(issued, upload.file, { onProgress, signal: stop.signal })
      await this.#check(id, issued.documentId)
    } catch (error) {
      if (isCode(error, "already_uploaded")) return this.#check(id, issued.documentId)
      this.#interrupt(id, error)
    } finally {
      this.#stops.delete(id)
    }
  }

  /** Has the service look for the file at once. */
  async #check(id: number, documentId: string): Promise<void> {
    this.#set(id, { state: "checking" })
    try {
      await this.#client.documents.changeStatus(documentId, { status: "uploaded" })
    } catch (error) {
      // Somebody has judged it already.
      if (!isCode(error, "invalid_transition")) return this.#interrupt(id, error)
    }
    this.#set(id, { state: "uploaded", sentBytes: this.#find(id)?.file.size ?? 0 })
    this.#changedOf(id)
  }

  #interrupt(id: number, error: unknown): void {
    const fault = faultOf(error)
    this.#set(id, { state: isFinal(fault) ? "refused" : "interrupted", fault })
    this.#changedOf(id)
  }

  #newUpload(file: File, terms: UploadTerms, documentId: string | null): Upload {
    return { id: this.#nextId++, file, terms, state: "waiting", sentBytes: 0, documentId, fault: null }
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
