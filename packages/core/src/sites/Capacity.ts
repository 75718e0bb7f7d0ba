/**
 * Installed capacity: number and unit as sent, and the value in kilowatts.
 */
import { BigDecimal, Schema } from "effect"

/**
 * One unit in kilowatts, as a decimal power of ten. Peak units (modules under standard test
 * conditions) count like the others.
 */
export const kilowattsPerUnit = {
  W: "0.001",
  kW: "1",
  MW: "1000",
  GW: "1000000",
  Wp: "0.001",
  kWp: "1",
  MWp: "1000",
  GWp: "1000000"
} as const

export const CapacityUnit = Schema.Literals(["W", "kW", "MW", "GW", "Wp", "kWp", "MWp", "GWp"])
export type CapacityUnit = typeof CapacityUnit.Type

/** The number as it was sent, in the unit of its site. */
export const Capacity = Schema.Finite.check(
  Schema.isGreaterThan(0, { message: "must be greater than 0", faultCode: "out_of_range" }),
  Schema.isLessThanOrEqualTo(1e9, { message: "must be at most 1000000000", faultCode: "out_of_range" })
)

/** Number of places by which the decimal point moves between the unit and kilowatts. */
const exponentOf = (unit: CapacityUnit): number => Math.round(Math.log10(Number(kilowattsPerUnit[unit])))

/** The capacity in kilowatts, in decimal arithmetic: 0.07 MW are 70 kW, not 70.00000000000001. */
export const capacityKw = (capacity: number, unit: CapacityUnit): number => {
  // Moving the decimal point is exact and ten times as fast as `BigDecimal`.
  const [digits = "0", exponent = "0"] = String(capacity).split("e")
  return Number(`${digits}e${Number(exponent) + exponentOf(unit)}`)
}

/** The exact decimal sum in kilowatts over mixed units. The order does not matter. */
export const totalCapacityKw = (
  parts: Iterable<{ readonly capacity: number; readonly unit: CapacityUnit }>
): number => {
  let total = BigDecimal.fromNumberUnsafe(0)
  for (const { capacity, unit } of parts) {
    const factor = BigDecimal.fromStringUnsafe(kilowattsPerUnit[unit])
    total = BigDecimal.sum(total, BigDecimal.multiply(BigDecimal.fromNumberUnsafe(capacity), factor))
  }
  return BigDecimal.toNumberUnsafe(total)
}
