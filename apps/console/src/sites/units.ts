/**
 * Units of a capacity.
 */
import type { Site } from "@solar-sites/http-node/client"

export type Unit = Site["unit"]

// A unit that core adds is missing here for the compiler.
const places: Readonly<Record<Unit, number>> = { kWp: 0, MWp: 1, GWp: 2, Wp: 3, kW: 4, MW: 5, GW: 6, W: 7 }

export const isUnit = (text: string | null): text is Unit => text !== null && Object.hasOwn(places, text)

/** The usual ones first. */
export const units: ReadonlyArray<Unit> = Object.keys(places).filter(isUnit)
