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

/** Each unit is a power of ten of a kilowatt. */
const exponents = { W: -3, kW: 0, MW: 3, GW: 6, Wp: -3, kWp: 0, MWp: 3, GWp: 6 } as const satisfies Readonly<
  Record<CapacityUnit, number>
>

/**
 * The capacity in kilowatts, reckoned in decimals: 0.07 MW are 70 kW, not
 * 70.00000000000001.
 *
 * @category conversions
 * @since 0.1.0
 */
export const capacityKw = (capacity: number, unit: CapacityUnit): number => {
  // Moving the point of the decimal is exact, and costs a tenth of what decimals do.
  const [digits = "0", exponent = "0"] = String(capacity).split("e")
  return Number(`${digits}e${Number(exponent) + exponents[unit]}`)
}

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
