/**
 * Approvals that can be undone for a while: their requests are sent later, or when the page is left.
 */
import type { Document } from "@solar-sites/http-node/client"

type Approved = Pick<Document, "id" | "version" | "filename" | "siteId">

export interface Approval {
  readonly document: Approved
  /** False while it can be undone. */
  readonly isSent: boolean
}

/** Sends the approval, and reports an error itself. True unless it has failed. */
export type SendApproval = (document: Approved, isLeaving: boolean) => Promise<boolean>

export class DelayedApprovals {
  readonly #send: SendApproval
  readonly #delayMillis: number
  readonly #listeners = new Set<() => void>()
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  #approvals: ReadonlyMap<string, Approval> = new Map()

  constructor(send: SendApproval, delayMillis: number) {
    this.#send = send
    this.#delayMillis = delayMillis
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** By document, in the order of their addition; the same map until a change. */
  readonly all = (): ReadonlyMap<string, Approval> => this.#approvals

  add(document: Approved): void {
    if (this.#approvals.get(document.id)?.document.version === document.version) return
    this.#set(document.id, { document, isSent: false })
    this.#timers.set(
      document.id,
      setTimeout(() => void this.#finish(document.id, false), this.#delayMillis)
    )
  }

  /** Undoes the approval of the document, by default the last one. Undefined when it is too late. */
  undo(documentId?: string): Approved | undefined {
    const waiting = [...this.#approvals.values()].filter(({ isSent }) => !isSent)
    const found = waiting.findLast(({ document: { id } }) => id === (documentId ?? id))
    if (found === undefined) return undefined
    this.#stop(found.document.id)
    this.#set(found.document.id, undefined)
    return found.document
  }

  /** Sends all approvals now. `isLeaving` is true when the document of the browser goes away. */
  async flush(isLeaving = false): Promise<void> {
    const waiting = [...this.#approvals.values()].filter(({ isSent }) => !isSent)
    await Promise.all(waiting.map(({ document }) => this.#finish(document.id, isLeaving)))
  }

  /** Undoes all approvals: a request of another user would be in the name of that user. */
  drop(): void {
    while (this.undo() !== undefined);
  }

  async #finish(documentId: string, isLeaving: boolean): Promise<void> {
    this.#stop(documentId)
    const approval = this.#approvals.get(documentId)
    if (approval === undefined) return
    this.#set(documentId, { ...approval, isSent: true })
    if (!(await this.#send(approval.document, isLeaving))) this.#set(documentId, undefined)
  }

  #stop(documentId: string): void {
    clearTimeout(this.#timers.get(documentId))
    this.#timers.delete(documentId)
  }

  #set(documentId: string, approval: Approval | undefined): void {
    const changed = new Map(this.#approvals)
    changed.delete(documentId)
    if (approval !== undefined) changed.set(documentId, approval)
    this.#approvals = changed
    for (const listener of this.#listeners) listener()
  }
}

/** True for a document in the approved version: lists may hold it for a while after its approval. */
export const isApprovedHere = (
  approvals: ReadonlyMap<string, Approval>,
  { id, status, version }: Pick<Document, "id" | "status" | "version">
): boolean => status === "uploaded" && approvals.get(id)?.document.version === version
