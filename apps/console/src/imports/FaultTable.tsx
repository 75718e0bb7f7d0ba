/**
 * The faults of a file, each with the cell that has it.
 */
import type { ReactNode } from "react"
import { faultText } from "../api/failures.ts"
import type { ImportFault } from "../api/imports.ts"
import { importTexts as texts } from "../texts/en/imports.ts"
import { asSentence } from "../texts/formats.ts"
import classes from "./Imports.module.css"

export const maximumShown = 100

interface Props {
  readonly faults: ReadonlyArray<ImportFault>
  /** The input of the faulty cell; without it there is no column of cells. */
  readonly cell?: (fault: ImportFault) => ReactNode
}

export const FaultTable = ({ cell, faults }: Props) => (
  <table className={classes.table} aria-label={texts.faults}>
    <thead>
      <tr>
        <th>{texts.faultHeads.row}</th>
        <th>{texts.faultHeads.column}</th>
        {cell !== undefined && <th>{texts.faultHeads.cell}</th>}
        <th className={classes.wide}>{texts.faultHeads.code}</th>
        <th>{texts.faultHeads.detail}</th>
      </tr>
    </thead>
    <tbody>
      {faults.slice(0, maximumShown).map((fault) => (
        <tr key={`${fault.row} ${fault.column} ${fault.code} ${fault.detail}`}>
          <td>{fault.row}</td>
          <td>{fault.column}</td>
          {cell !== undefined && <td>{cell(fault)}</td>}
          <td className={classes.wide}>{fault.code}</td>
          <td>{asSentence(faultText(fault))}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
