/**
 * A measured request and its bounds.
 */
import type { Ask, Target } from "../fuzz/Target.ts"

/** Numbers of resources that exist: in the long form, more than a page has. */
export interface Size {
  readonly sites: number
  readonly largeSites: number
}

type Prepared<A> = (ask: Ask, size: Size, upload: Target["upload"]) => Promise<A>

/** A request of one case. `prepare` makes what it is about, which is not measured. */
export interface Case {
  readonly operation: string
  readonly input: string
  /** Upper bounds: bytes of the answer and, on Postgres, bytes stored with indexes. */
  readonly answerBytes: number
  readonly storedBytes: number
  /** Line and body of the request. `size` scales the stored resources. */
  readonly prepare: Prepared<readonly [line: string, body?: unknown]>
  /** How long after the answer background jobs begin to store. */
  readonly storesAfterMillis?: number
  /** The handler on memory knows no address of a client, and so answers no metrics. */
  readonly needsServer?: true
}

export const mebibyte = 1_048_576

/** The answer of a list is as long as the stored resources. A page ends at 8 MiB, with the item that reaches them. */
export const page = 9 * mebibyte

/** Allowance of a request that stores little or nothing, for maintenance of tables meanwhile. */
export const nothing = 1 * mebibyte

export const once =
  (line: string, body?: unknown): Case["prepare"] =>
  async () => [line, body]

/** A request after `make`, which may return what the line has in place of `{id}`. */
export const after =
  (make: Prepared<unknown>, line: string, body?: unknown): Case["prepare"] =>
  async (...given) => [line.replace("{id}", String(await make(...given))), body]

/** Stores nothing unless it says how much. */
type Row = readonly [answerBytes: number, prepare: Case["prepare"], storedBytes?: number, exceptions?: Partial<Case>]

export const casesOf = (table: Readonly<Record<string, Readonly<Record<string, Row>>>>): ReadonlyArray<Case> =>
  Object.entries(table).flatMap(([operation, inputs]) =>
    Object.entries(inputs).map(([input, [answerBytes, prepare, storedBytes = nothing, exceptions]]) => ({
      ...{ operation, input, answerBytes, storedBytes, prepare, ...exceptions }
    }))
  )
