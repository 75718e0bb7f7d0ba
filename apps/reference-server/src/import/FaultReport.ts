/** Faults of a file as CSV. */
import { csvLine } from "@solar-sites/core"
import type { ImportFault } from "./Table.ts"

export const reportOf = (faults: ReadonlyArray<ImportFault>): string => {
  const lines = faults.map(({ code, column, detail, row }) => csvLine([row, column, code, detail]))
  return ["row,column,code,detail", ...lines, ""].join("\r\n")
}
