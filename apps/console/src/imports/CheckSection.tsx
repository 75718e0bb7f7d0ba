/**
 * The result of a check: counts and a button that imports, or the faults.
 */
import { Alert, Button, Group, Stack, Text } from "@mantine/core"
import { faultText } from "../api/failures.ts"
import type { ImportCheck, ImportFault } from "../api/imports.ts"
import { downloadBlob } from "../shell/downloadBlob.ts"
import { Failure } from "../shell/Failure.tsx"
import { IconAlertTriangle, IconDownload } from "../shell/icons.ts"
import { Section } from "../shell/Section.tsx"
import type { Action } from "../shell/useAction.ts"
import { importTexts as texts } from "../texts/en/imports.ts"
import { asSentence } from "../texts/formats.ts"
import classes from "./Imports.module.css"

const maximumShown = 100

export const FaultTable = ({ faults }: { readonly faults: ReadonlyArray<ImportFault> }) => (
  <table className={classes.table} aria-label={texts.faults}>
    <thead>
      <tr>
        <th>{texts.faultHeads.row}</th>
        <th>{texts.faultHeads.column}</th>
        <th className={classes.wide}>{texts.faultHeads.code}</th>
        <th>{texts.faultHeads.detail}</th>
      </tr>
    </thead>
    <tbody>
      {faults.slice(0, maximumShown).map((fault) => (
        <tr key={`${fault.row} ${fault.column} ${fault.code} ${fault.detail}`}>
          <td>{fault.row}</td>
          <td>{fault.column}</td>
          <td className={classes.wide}>{fault.code}</td>
          <td>{asSentence(faultText(fault))}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

interface Props {
  readonly check: ImportCheck
  readonly fileName: string
  readonly starting: Action<[], unknown>
  /** Downloads the file with its faults. */
  readonly marking: Action<[], unknown>
}

export const CheckSection = ({ check, fileName, marking, starting }: Props) => {
  const { created, faultCount, faults, report, unchanged, updated } = check
  if (faultCount > 0) {
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
        <FaultTable faults={faults} />
      </Section>
    )
  }
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
          </Group>
        )}
      </Stack>
    </Section>
  )
}
