/**
 * Data that the requests use: one organisation to read (1,000 sites in 20 portfolios), one to
 * change, one to move sites in, and others to spread requests over.
 */
import { randomBytes } from "node:crypto"
import { crc32 } from "node:zlib"

/** One organisation. Keys are made at run time, for the database of one run. */
export interface Organisation {
  readonly organisationId: string
  readonly key: string
  readonly siteIds: ReadonlyArray<string>
  readonly portfolioIds: ReadonlyArray<string>
}

export interface Fixture {
  readonly reader: Organisation
  readonly writer: Organisation
  /** 1,000 sites and 20 portfolios. */
  readonly mover: Organisation
  /** Organisations with one portfolio, a few sites, and uploaded documents. */
  readonly others: ReadonlyArray<Organisation & { readonly documentIds: ReadonlyArray<string> }>
  /** More keys of the reader: used in turn, each has left the cache before its next use. */
  readonly freshKeys: ReadonlyArray<string>
}

export const makeKey = (): string => {
  const bytes = Buffer.alloc(36)
  randomBytes(32).copy(bytes)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 32)), 32)
  return `sk_live_${bytes.toString("base64url")}`
}

export const portfolioCount = 20
export const sitesPerPortfolio = 50
/** The default number of connections. */
export const otherCount = 50
export const sitesOfOther = 20
/** Enough for a measurement of 5 s, in which each document is used once. */
export const documentsOfOther = 800
/** Twice the size of the cache of keys. */
export const freshKeyCount = 20_000
