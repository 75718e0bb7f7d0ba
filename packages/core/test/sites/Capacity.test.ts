import { CapacityUnit, capacityKw, totalCapacityKw } from "@solar-sites/core"
import { expect, it } from "vitest"

it.each([
  [500, "W", 0.5],
  [3, "kW", 3],
  [0.07, "MW", 70],
  [1.1, "GWp", 1_100_000],
  [1e9, "GW", 1e15],
  [1e-7, "kWp", 1e-7],
  [4.35, "MWp", 4_350],
  [123_456.789, "Wp", 123.456789]
] as const)("%d %s are %d kW", (capacity, unit, kilowatts) => {
  expect(capacityKw(capacity, unit)).toBe(kilowatts)
})

it("sums decimals exactly, over mixed units and in any order", () => {
  const parts = [
    { capacity: 0.1, unit: "kW" },
    { capacity: 200, unit: "W" },
    { capacity: 0.0003, unit: "MWp" }
  ] as const
  expect(totalCapacityKw(parts)).toBe(0.6)
  expect(totalCapacityKw(parts.toReversed())).toBe(0.6)
})

it("sums nothing to zero", () => {
  expect(totalCapacityKw([])).toBe(0)
})

it("loses no small parts beside something huge", () => {
  const small = { capacity: 0.06, unit: "kW" } as const
  // One by one, each of them would vanish: doubles of this size are 0.125 apart.
  expect(totalCapacityKw([{ capacity: 1e9, unit: "GW" }, small, small, small])).toBe(1e15 + 0.125)
})

it("moves the point of any decimal as exactly as the sum does", () => {
  const digits = [1, 7, 48.6, 0.07, 123_456.789, 999_999_999.999, 1 / 3, 5e-7, 2 ** 29 + 0.125]
  for (const unit of CapacityUnit.literals) {
    for (const capacity of digits) expect(capacityKw(capacity, unit)).toBe(totalCapacityKw([{ capacity, unit }]))
  }
})
