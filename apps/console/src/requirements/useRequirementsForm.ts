/**
 * Edits the list as a whole. It is saved only over the version that was read; after a conflict the
 * user chooses between the two lists.
 */
import { notifications } from "@mantine/notifications"
import type { DocumentRequirements } from "@solar-sites/http-node/client"
import { useCallback, useState } from "react"
import { client } from "../api/client.ts"
import { isProblem } from "../api/failures.ts"
import { useAction } from "../shell/useAction.ts"
import { requirementTexts as texts } from "../texts/en/requirements.ts"
import { emptyRow, faultsOf, type RequirementRow, requirementsOf, rowsOf } from "./RequirementRows.ts"
import { rememberRequirements } from "./requirementQueries.ts"

export const useRequirementsForm = (read: DocumentRequirements) => {
  const [base, setBase] = useState(read)
  const [rows, setRows] = useState(() => rowsOf(read))
  const [theirs, setTheirs] = useState<DocumentRequirements>()

  const change = useCallback(
    (key: string, change: Partial<RequirementRow>) =>
      setRows((before) => before.map((row) => (row.key === key ? { ...row, ...change } : row))),
    []
  )
  const remove = useCallback((key: string) => setRows((before) => before.filter((row) => row.key !== key)), [])

  const startFrom = (saved: DocumentRequirements) => {
    rememberRequirements(saved)
    setBase(saved)
    setRows(rowsOf(saved))
    setTheirs(undefined)
  }

  const saving = useAction(async (expectedVersion: number) => {
    try {
      startFrom(await client.requirements.replace({ requirements: requirementsOf(rows) }, { expectedVersion }))
      notifications.show({ message: texts.saved })
    } catch (error) {
      if (!isProblem(error, "precondition_failed")) throw error
      setTheirs(await client.requirements.get())
    }
  })

  const isComplete = rows.every(({ documentType }) => documentType !== null)
  return {
    rows,
    theirs,
    isSaving: saving.busy,
    error: saving.error,
    isChanged: !isComplete || JSON.stringify(requirementsOf(rows)) !== JSON.stringify(base.requirements),
    isValid: rows.every((_, index) => Object.keys(faultsOf(rows, index)).length === 0),
    /** Returns the key of the new row. */
    add: () => {
      const row = emptyRow()
      setRows([...rows, row])
      return row.key
    },
    change,
    remove,
    save: () => saving.run(base.version),
    /** Saves over the version of the conflict. */
    keepMine: () => theirs !== undefined && saving.run(theirs.version),
    takeTheirs: () => theirs !== undefined && startFrom(theirs),
    discard: () => {
      saving.reset()
      setRows(rowsOf(base))
    }
  }
}
