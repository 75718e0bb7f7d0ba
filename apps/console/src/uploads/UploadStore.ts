/**
 * The uploads of this tab, outside of React. Listeners are called at most four times a second, since
 * each file reports its progress many times a second.
 */
import type { NewUpload, Upload, UploadState } from "./Upload.ts"

const pauseMillis = 250

export class UploadStore {
  readonly #listeners = new Set<() => void>()
  readonly #byId = new Map<number, Upload>()
  #all: ReadonlyArray<Upload> | undefined = []
  #nextId = 1
  #notifying = false

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** In the order of their addition; the same array until a change. */
  readonly uploads = (): ReadonlyArray<Upload> => {
    this.#all ??= [...this.#byId.values()]
    return this.#all
  }

  find(id: number): Upload | undefined {
    return this.#byId.get(id)
  }

  /** `documentId` is null unless the document exists already. */
  add(
    added: NewUpload,
    documentId: string | null = null,
    state: UploadState = documentId === null ? "waiting" : "interrupted"
  ): Upload {
    const id = this.#nextId++
    const upload: Upload = {
      ...added,
      id,
      state,
      sentBytes: 0,
      documentId,
      madeDocument: false,
      fault: null
    }
    this.#byId.set(id, upload)
    this.#changed()
    return upload
  }

  /** Does nothing after the upload was removed. */
  set(id: number, change: Partial<Upload>): void {
    const upload = this.#byId.get(id)
    if (upload === undefined) return
    this.#byId.set(id, { ...upload, ...change })
    this.#changed()
  }

  remove(isRemoved: (upload: Upload) => boolean): void {
    for (const upload of this.uploads()) if (isRemoved(upload)) this.#byId.delete(upload.id)
    this.#changed()
  }

  #changed(): void {
    this.#all = undefined
    if (this.#notifying) return
    this.#notifying = true
    setTimeout(() => {
      this.#notifying = false
      for (const listener of this.#listeners) listener()
    }, pauseMillis)
  }
}
