/**
 * Bars of the chart of capacities.
 */
import type { Portfolio } from "@solar-sites/http-node/client"
import { portfolioTexts as texts } from "../texts/en/portfolios.ts"

export interface Bar {
  readonly id: string
  readonly name: string
  readonly capacityKw: number
  /** True for a bar of several portfolios or of none. */
  readonly rest: boolean
}

// Largest portfolios that have a bar of their own.
const shown = 12

/** The largest portfolios, the others together, and the sites in no portfolio. */
export const capacityBars = (
  portfolios: ReadonlyArray<Pick<Portfolio, "id" | "name" | "capacityKw">>,
  outsideKw: number
): ReadonlyArray<Bar> => {
  const sorted = portfolios.toSorted((a, b) => b.capacityKw - a.capacityKw)
  const kept = sorted.length <= shown ? sorted : sorted.slice(0, shown - 1)
  const others = sorted.slice(kept.length)
  const sum = others.reduce((total, { capacityKw }) => total + capacityKw, 0)
  const rest = [
    { id: "others", name: texts.chartOthers(others.length), capacityKw: sum, rest: true, there: others.length > 0 },
    { id: "outside", name: texts.chartNone, capacityKw: outsideKw, rest: true, there: outsideKw > 0 }
  ]
  return [
    ...kept.map(({ capacityKw, id, name }) => ({ id, name, capacityKw, rest: false })),
    ...rest.filter(({ there }) => there).map(({ there: _, ...bar }) => bar)
  ]
}
