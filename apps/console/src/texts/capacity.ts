/**
 * How capacities are written: in the unit in which they are short.
 */
import { formatNumber } from "./formats.ts"

const steps = [
  { from: 1e6, unit: "GW" },
  { from: 1e3, unit: "MW" },
  { from: 1, unit: "kW" }
] as const

const rounded = (value: number): number => Number(value.toPrecision(4))

/** Such as `1.25 MW`, of kilowatts. */
export const formatCapacity = (kilowatts: number): string => {
  if (kilowatts === 0) return "0 kW"
  const step = steps.find(({ from }) => rounded(kilowatts) >= from)
  return step === undefined
    ? `${formatNumber(rounded(kilowatts * 1_000))} W`
    : `${formatNumber(rounded(kilowatts / step.from))} ${step.unit}`
}
