/**
 * Corrects faulty cells in the page, and checks the file again.
 */
import { Button, Group, Stack, TextInput } from "@mantine/core"
import { type FormEvent, useState } from "react"
import type { ImportFault } from "../api/imports.ts"
import { importTexts as texts } from "../texts/en/imports.ts"
import { FaultTable } from "./FaultTable.tsx"
import { type Correction, cellOf, columnOf, corrected, type FileCells } from "./FileCells.ts"

interface Props {
  readonly faults: ReadonlyArray<ImportFault>
  readonly cells: FileCells
  readonly isBusy: boolean
  readonly onCorrect: (cells: FileCells) => void
}

export const CorrectionForm = ({ cells, faults, isBusy, onCorrect }: Props) => {
  const [corrections, setCorrections] = useState<ReadonlyMap<string, Correction>>(new Map())
  const cell = (fault: ImportFault) => {
    const { column: header, row } = fault
    const column = columnOf(cells, header)
    // A cell with several faults has one input.
    const isFirst = faults.find((other) => other.row === row && other.column === header) === fault
    if (column === undefined || !isFirst) return null
    const key = `${row} ${column}`
    return (
      <TextInput
        size="xs"
        aria-label={texts.cellAt(row, header ?? "")}
        value={corrections.get(key)?.value ?? cellOf(cells, row, column)}
        onChange={({ currentTarget: { value } }) =>
          setCorrections((before) => new Map(before).set(key, { row, column, value }))
        }
      />
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onCorrect(corrected(cells, [...corrections.values()]))
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <FaultTable faults={faults} cell={cell} />
        <Group>
          <Button type="submit" loading={isBusy} disabled={corrections.size === 0}>
            {texts.checkAgain}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
