/**
 * What the work is done on: one organisation that is read (1,000 sites in 20
 * portfolios), one that is written to, and others for what no two requests share.
 */
import { randomBytes } from "node:crypto"
import { crc32 } from "node:zlib"

/** Keys are made at run time and live as long as the database of the run. */
export interface Fixture {
  readonly reader: {
    readonly key: string
    readonly siteIds: ReadonlyArray<string>
    readonly portfolioIds: ReadonlyArray<string>
  }
  readonly writer: {
    readonly key: string
    readonly siteIds: ReadonlyArray<string>
    readonly portfolioIds: ReadonlyArray<string>
  }
  /** Organisations with a portfolio and nothing else. */
  readonly others: ReadonlyArray<{ readonly key: string; readonly portfolioIds: ReadonlyArray<string> }>
  /** More keys of the reader; whoever uses them in turn finds none of them remembered. */
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
/** As many as there are connections, unless somebody asks for others. */
export const otherCount = 50
/** Twice what a server remembers. */
export const freshKeyCount = 20_000
