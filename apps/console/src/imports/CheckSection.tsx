/**
 * The result of a check: counts and a button that imports, or the faults.
 */
import { Alert, Button, Group, Stack, Text } from "@mantine/core"
import type { ImportCheck } from "../api/imports.ts"
import { downloadBlob } from "../shell/downloadBlob.ts"
import { Failure } from "../shell/Failure.tsx"
import { IconAlertTriangle, IconDownload } from "../shell/icons.ts"
import { Section } from "../shell/Section.tsx"
import type { Action } from "../shell/useAction.ts"
import { importTexts as texts } from "../texts/en/imports.ts"
import { CorrectionForm } from "./CorrectionForm.tsx"
import { FaultTable, maximumShown } from "./FaultTable.tsx"
import { type FileCells, toFile } from "./FileCells.ts"

interface Props {
  readonly check: ImportCheck
  readonly fileName: string
  /** Null until cells are corrected in the page. */
  readonly cells: FileCells | null
  readonly starting: Action<[], unknown>
  readonly isCorrecting: boolean
  readonly correctingError: unknown
  /** Reads the cells of the file. */
  readonly onOpen: () => void
  /** Checks the corrected file. */
  readonly onCorrect: (cells: FileCells) => void
  /** Downloads the file with its faults. */
  readonly marking: Action<[], unknown>
}

const Faults = (props: Props) => {
  const { cells, check, correctingError, fileName, isCorrecting, marking, onCorrect, onOpen } = props
  const { faultCount, faults, report } = check
  return (
    <Section
      title={texts.checked}
      actions={
        report !== null && (
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() => downloadBlob(`${fileName} faults.csv`, new Blob([report], { type: "text/csv" }))}
            >
              {texts.report}
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              loading={marking.busy}
              onClick={() => marking.run()}
            >
              {texts.faultyFile}
            </Button>
          </Group>
        )
      }
    >
      <Alert role="alert" color="red" icon={<IconAlertTriangle aria-hidden />} title={texts.faultCount(faultCount)}>
        {texts.shownFaults(Math.min(faults.length, maximumShown), faultCount)}
      </Alert>
      {marking.error !== null && <Failure error={marking.error} title={texts.faultyFileFailed} />}
      {correctingError !== null && <Failure error={correctingError} title={texts.checkFailed} />}
      {cells === null ? (
        <>
          <FaultTable faults={faults} />
          <Group>
            <Button loading={isCorrecting} onClick={onOpen}>
              {texts.correctHere}
            </Button>
          </Group>
        </>
      ) : (
        <CorrectionForm faults={faults} cells={cells} isBusy={isCorrecting} onCorrect={onCorrect} />
      )}
    </Section>
  )
}

export const CheckSection = (props: Props) => {
  const { cells, check, fileName, starting } = props
  const { created, faultCount, unchanged, updated } = check
  if (faultCount > 0) return <Faults {...props} />
  const changes = created + updated
  return (
    <Section title={texts.checked}>
      <Stack gap="sm">
        <Text size="sm" role="status">
          {changes === 0 ? texts.nothing : texts.would(created, updated, unchanged)}
        </Text>
        {starting.error !== null && <Failure error={starting.error} title={texts.startFailed} />}
        {changes > 0 && (
          <Group>
            <Button loading={starting.busy} onClick={() => starting.run()}>
              {texts.start(changes)}
            </Button>
            {cells !== null && (
              <Button
                variant="default"
                leftSection={<IconDownload size={16} aria-hidden />}
                onClick={() => downloadBlob(fileName, toFile(cells, fileName))}
              >
                {texts.correctedFile}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </Section>
  )
}
