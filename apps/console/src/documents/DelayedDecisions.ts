/**
 * Approvals and rejections that can be undone for a while: their requests are sent later, or when the
 * page is left.
 */
import type { Document } from "@solar-sites/http-node/client"

type Decided = Pick<Document, "id" | "version" | "filename" | "siteId">

export type Outcome = { readonly status: "approved" } | { readonly status: "failed"; readonly reason: string }

export interface Decision {
  readonly document: Decided
  readonly outcome: Outcome
  /** False while it can be undone. */
  readonly isSent: boolean
}

/** By document, in the order of their addition. */
export type Decisions = ReadonlyMap<string, Decision>

/** Sends the decision, and reports an error itself. True unless it has failed. */
export type SendDecision = (decision: Decision, isLeaving: boolean) => Promise<boolean>

export class DelayedDecisions {
  readonly #send: SendDecision
  readonly #delayMillis: number
  readonly #listeners = new Set<() => void>()
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  #decisions: Decisions = new Map()

  constructor(send: SendDecision, delayMillis: number) {
    this.#send = send
    this.#delayMillis = delayMillis
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The same map until a change. */
  readonly all = (): Decisions => this.#decisions

  /** The first decision on a version counts, until it is undone. */
  add(document: Decided, outcome: Outcome): void {
    if (this.#decisions.get(document.id)?.document.version === document.version) return
    this.#set(document.id, { document, outcome, isSent: false })
    this.#timers.set(
      document.id,
      setTimeout(() => void this.#finish(document.id, false), this.#delayMillis)
    )
  }

  /** Undoes the decision on the document, by default the last one. Undefined when it is too late. */
  undo(documentId?: string): Decided | undefined {
    const waiting = [...this.#decisions.values()].filter(({ isSent }) => !isSent)
    const found = waiting.findLast(({ document: { id } }) => id === (documentId ?? id))
    if (found === undefined) return undefined
    this.#stop(found.document.id)
    this.#set(found.document.id, undefined)
    return found.document
  }

  /** Sends all decisions now. `isLeaving` is true when the document of the browser goes away. */
  async flush(isLeaving = false): Promise<void> {
    const waiting = [...this.#decisions.values()].filter(({ isSent }) => !isSent)
    await Promise.all(waiting.map(({ document }) => this.#finish(document.id, isLeaving)))
  }

  /** Undoes all decisions: a request of another user would be in the name of that user. */
  drop(): void {
    while (this.undo() !== undefined);
  }

  async #finish(documentId: string, isLeaving: boolean): Promise<void> {
    this.#stop(documentId)
    const decision = this.#decisions.get(documentId)
    if (decision === undefined) return
    this.#set(documentId, { ...decision, isSent: true })
    if (!(await this.#send(decision, isLeaving))) this.#set(documentId, undefined)
  }

  #stop(documentId: string): void {
    clearTimeout(this.#timers.get(documentId))
    this.#timers.delete(documentId)
  }

  #set(documentId: string, decision: Decision | undefined): void {
    const changed = new Map(this.#decisions)
    changed.delete(documentId)
    if (decision !== undefined) changed.set(documentId, decision)
    this.#decisions = changed
    for (const listener of this.#listeners) listener()
  }
}

/** The decision of this tab on the document: lists may hold the version that was decided on for a while. */
export const decisionOn = (
  decisions: Decisions,
  { id, status, version }: Pick<Document, "id" | "status" | "version">
): Outcome | undefined => {
  const decision = decisions.get(id)
  return status === "uploaded" && decision?.document.version === version ? decision.outcome : undefined
}

/** The document as it will be. The same object without a decision. */
export const asDecided = <Shown extends Pick<Document, "id" | "status" | "version" | "failureReason">>(
  decisions: Decisions,
  document: Shown
): Shown => {
  const outcome = decisionOn(decisions, document)
  if (outcome === undefined) return document
  const failureReason = outcome.status === "failed" ? outcome.reason.trim() : null
  return { ...document, status: outcome.status, failureReason }
}
