/**
 * Writes portfolios with their sites as JSON, part by part.
 */
import type { PortfolioPart } from "@solar-sites/core"
import { Stream } from "effect"
import type { Piece } from "./JsonPieces.ts"
import { jsonItems, jsonText } from "./Wire.ts"

interface Progress {
  readonly portfolios: number
  readonly sites: number
}

const write = ({ portfolios, sites }: Progress, part: PortfolioPart): readonly [Progress, ReadonlyArray<Piece>] => {
  switch (part._tag) {
    case "Portfolio": {
      const before = portfolios === 0 ? '{"data":[' : "]},"
      // All members of the portfolio, left open for one more.
      const text = `${before}${jsonText(part.portfolio).slice(0, -1)},"sites":[`
      return [{ portfolios: portfolios + 1, sites: 0 }, [{ text, last: false }]]
    }
    case "Sites": {
      const text = `${sites === 0 ? "" : ","}${jsonItems(part.sites)}`
      return [{ portfolios, sites: sites + part.sites.length }, [{ text, last: false }]]
    }
    case "End": {
      const before = portfolios === 0 ? '{"data":[' : "]}"
      return [
        { portfolios, sites },
        [{ text: `${before}],"nextCursor":${JSON.stringify(part.nextCursor)}}`, last: true }]
      ]
    }
  }
}

export const portfolioPieces = <E, R>(parts: Stream.Stream<PortfolioPart, E, R>): Stream.Stream<Piece, E, R> =>
  Stream.mapAccum(parts, (): Progress => ({ portfolios: 0, sites: 0 }), write)
