/**
 * Faults of a file as an answer shows them, and as CSV (docs/import.md).
 */
import { cellsOf } from "../Csv.ts"
import type { Fault } from "../ImportState.ts"
import { Hole, isRecord } from "../Match.ts"

const isFault = (found: unknown): found is Required<Fault> & { readonly detail: string } =>
  isRecord(found) &&
  Object.keys(found).length === 4 &&
  Number.isInteger(found["row"]) &&
  (found["column"] === null || typeof found["column"] === "string") &&
  /^[a-z_]+$/.test(String(found["code"])) &&
  String(found["detail"]).length > 0

const placeOf = ({ column, row }: Fault): string => JSON.stringify([row, column])

const sameFaults = (expected: ReadonlyArray<Fault> | null, found: ReadonlyArray<unknown>): boolean => {
  if (found.length === 0 || !found.every(isFault)) return false
  if (expected === null) return true
  const places = (faults: ReadonlyArray<Fault>) => [...new Set(faults.map(placeOf))].sort()
  const hasCode = (fault: Fault) =>
    fault.code === undefined || found.some((one) => placeOf(one) === placeOf(fault) && one.code === fault.code)
  return JSON.stringify(places(expected)) === JSON.stringify(places(found)) && expected.every(hasCode)
}

interface FaultsHole extends Hole {
  readonly found: () => ReadonlyArray<unknown>
}

/** The faults in any order, one or more at each place. Null stands for at least one. */
export const faultsHole = (expected: ReadonlyArray<Fault> | null): FaultsHole => {
  let faults: ReadonlyArray<unknown> = []
  const hole = new Hole(`the faults ${JSON.stringify(expected)}`, (found) => {
    faults = Array.isArray(found) ? found : []
    return sameFaults(expected, faults)
  })
  return Object.assign(hole, { found: () => faults })
}

const linesOf = (faults: ReadonlyArray<unknown>): ReadonlyArray<ReadonlyArray<string | null>> =>
  faults.filter(isFault).map(({ code, column, detail, row }) => [String(row), column, code, detail])

/** Number and report of faults that were found before. */
export const reportHole = ({ found: faults }: FaultsHole) => ({
  faultCount: new Hole("the number of faults", (found) => found === faults().length),
  report: new Hole("the faults as CSV", (found) => {
    const [header, ...lines] = cellsOf(String(found))
    return header?.join() === "row,column,code,detail" && JSON.stringify(lines) === JSON.stringify(linesOf(faults()))
  })
})
