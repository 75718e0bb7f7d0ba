/**
 * Installed capacity: a number and a unit as they were sent, and the kilowatts
 * they come to.
 *
 * @since 0.1.0
 */
import { BigDecimal, Schema } from "effect"

/**
 * How many kilowatts one unit is, as a decimal. Peak units (of a module field
 * under test conditions) count like the others.
 *
 * @category models
 * @since 0.1.0
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

/**
 * @category models
 * @since 0.1.0
 */
export const CapacityUnit = Schema.Literals(["W", "kW", "MW", "GW", "Wp", "kWp", "MWp", "GWp"])
export type CapacityUnit = typeof CapacityUnit.Type

/**
 * In the unit of its site; what was sent comes back unchanged.
 *
 * @category models
 * @since 0.1.0
 */
export const Capacity = Schema.Finite.check(
  Schema.isGreaterThan(0, { message: "must be greater than 0", faultCode: "out_of_range" }),
  Schema.isLessThanOrEqualTo(1e9, { message: "must be at most 1000000000", faultCode: "out_of_range" })
)

/**
 * The capacity in kilowatts, reckoned in decimals: 0.07 MW are 70 kW, not
 * 70.00000000000001.
 *
 * @category conversions
 * @since 0.1.0
 */
export const capacityKw = (capacity: number, unit: CapacityUnit): number => totalCapacityKw([{ capacity, unit }])

/**
 * The exact decimal sum in kilowatts over mixed units, independent of order.
 *
 * @category conversions
 * @since 0.1.0
 */
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
