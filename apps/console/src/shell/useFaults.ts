/**
 * Faults that the server finds in fields of a dialog.
 */
import { useState } from "react"
import { fieldErrorsOf } from "../api/failures.ts"
import { asSentence } from "../texts/formats.ts"

export interface Faults<Field extends string> {
  readonly faultOf: (field: Field) => string | undefined
  /** Runs the request: false when a field is at fault; other errors are thrown. */
  readonly collect: (act: () => Promise<unknown>) => Promise<boolean>
}

export const useFaults = <Field extends string>(...fields: ReadonlyArray<Field>): Faults<Field> => {
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const collect = async (act: () => Promise<unknown>) => {
    setFaults({})
    try {
      await act()
      return true
    } catch (error) {
      const found = fieldErrorsOf(error)
      if (!fields.some((field) => field in found)) throw error
      setFaults(found)
      return false
    }
  }
  const faultOf = (field: Field) => {
    const fault = faults[field]
    return fault === undefined ? undefined : asSentence(fault)
  }
  return { faultOf, collect }
}
