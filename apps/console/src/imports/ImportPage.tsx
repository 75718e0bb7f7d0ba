/**
 * Imports sites in three steps: choose a file, say what its columns hold, check and import.
 */
import { Alert, Button, FileButton, Group, Paper, Stack, Switch, Text } from "@mantine/core"
import { useMemo, useRef, useState } from "react"
import {
  checkImport,
  type FileColumns,
  type ImportCheck,
  markFaults,
  maximumImportBytes,
  readColumns,
  startImport
} from "../api/imports.ts"
import { downloadBlob } from "../shell/downloadBlob.ts"
import { Failure } from "../shell/Failure.tsx"
import { IconAlertTriangle, IconDownload, IconUpload } from "../shell/icons.ts"
import { Page } from "../shell/Page.tsx"
import { Section } from "../shell/Section.tsx"
import { useCan, useLimit } from "../shell/session.ts"
import { useAction } from "../shell/useAction.ts"
import { failureTexts } from "../texts/en/failures.ts"
import { importTexts as texts } from "../texts/en/imports.ts"
import { DropTarget } from "../uploads/DropTarget.tsx"
import { CheckSection } from "./CheckSection.tsx"
import { ColumnTable } from "./ColumnTable.tsx"
import { type Choices, firstChoices, isUndecided, mappingsOf, namePortfolios } from "./columnChoices.ts"
import { FaultTable } from "./FaultTable.tsx"
import { type FileCells, readCells, toFile } from "./FileCells.ts"
import classes from "./Imports.module.css"
import { refreshImports } from "./importQueries.ts"
import { importTemplate } from "./importTemplate.ts"
import { PlaceSelect } from "./PlaceSelect.tsx"
import { RecentImports } from "./RecentImports.tsx"

interface Chosen {
  readonly file: File
  readonly found: FileColumns
}

/** Shows the result of a check, which is below the columns. */
const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" })

const Mapping = ({ file: chosen, found, onStarted }: Chosen & { readonly onStarted: () => void }) => {
  // The chosen file until cells of it are corrected.
  const [cells, setCells] = useState<FileCells | null>(null)
  const file = useMemo(
    () => (cells === null ? chosen : toFile(cells, texts.correctedFileName(chosen.name))),
    [cells, chosen]
  )
  const [choices, setChoices] = useState<Choices>(() => firstChoices(found))
  const [upsert, setUpsert] = useState(false)
  const [check, setCheck] = useState<ImportCheck | null>(null)
  const [showFaults, setShowFaults] = useState(false)
  const limit = useLimit()
  const [place, setPlace] = useState(limit?.length === 1 ? (limit[0] ?? null) : null)
  const mappings = mappingsOf(found.columns, choices)
  const options = { upsert, mappings, ...(place === null ? {} : { portfolioId: place }) }
  const needsPlace = limit !== null && place === null && !namePortfolios(mappings)
  const checking = useAction(async () => {
    const isOpen = needsPlace || found.columns.some(({ header }) => isUndecided(choices.get(header)))
    setShowFaults(isOpen)
    if (!isOpen) setCheck(await checkImport(file, options))
  })
  const starting = useAction(async () => {
    if (check === null) return
    await startImport(check.importId, file, options)
    await refreshImports()
    onStarted()
  })
  const marking = useAction(async () =>
    // A browser removes the byte order mark, by which spreadsheets know UTF-8.
    downloadBlob(texts.faultyFileName(file.name), new Blob(["\ufeff", await markFaults(file, options)]))
  )
  const correcting = useAction(async (correct: () => Promise<FileCells>) => {
    const next = await correct()
    const found = await checkImport(toFile(next, texts.correctedFileName(chosen.name)), options)
    setCells(next)
    setCheck(found)
  })
  /** Rows of the marked file are counted as the page counts them. */
  const mark = async () => readCells(await (await markFaults(file, options)).text())
  const isBusy = checking.busy || starting.busy || correcting.busy
  /** A check is good for these choices only. */
  const change = (apply: () => void) => {
    if (isBusy) return
    setCheck(null)
    apply()
  }
  return (
    <>
      <Section title={texts.columns}>
        <Text size="sm" c="dimmed">
          {texts.columnsHint}
        </Text>
        <ColumnTable
          found={found}
          choices={choices}
          showFaults={showFaults}
          onChoose={(chosen) => change(() => setChoices(chosen))}
        />
        {limit !== null && (
          <PlaceSelect
            value={place}
            isMissing={showFaults && needsPlace}
            onChange={(chosen) => change(() => setPlace(chosen))}
          />
        )}
        <Switch
          label={texts.upsert}
          description={texts.upsertHint}
          checked={upsert}
          onChange={({ currentTarget: { checked } }) => change(() => setUpsert(checked))}
        />
        {checking.error !== null && <Failure error={checking.error} title={texts.checkFailed} />}
        <Group>
          <Button
            variant={check === null ? "filled" : "default"}
            loading={checking.busy}
            onClick={() => checking.run()}
          >
            {texts.check}
          </Button>
        </Group>
      </Section>
      {check !== null && (
        <div key={check.importId} ref={intoView} className={classes.checked}>
          <CheckSection
            check={check}
            fileName={file.name}
            cells={cells}
            marking={marking}
            starting={starting}
            isCorrecting={correcting.busy}
            correctingError={correcting.error}
            onOpen={() => void correcting.run(mark)}
            onCorrect={(next) => void correcting.run(async () => next)}
          />
        </div>
      )}
    </>
  )
}

export const ImportPage = () => {
  const canWrite = useCan("sites:write")
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [fault, setFault] = useState("")
  // A file that was mended can be chosen again.
  const reset = useRef<() => void>(null)
  const choosing = useAction(async (files: ReadonlyArray<File>) => {
    const [file, ...others] = files
    reset.current?.()
    setFault("")
    if (file === undefined) return
    setChosen(null)
    if (others.length > 0) return setFault(texts.oneFile)
    if (file.size > maximumImportBytes) return setFault(texts.tooLarge(file.name, maximumImportBytes))
    setChosen({ file, found: await readColumns(file) })
  })
  if (!canWrite) return <Page title={texts.title} description={failureTexts.roleInsufficient} />
  const faults = chosen?.found.faults ?? []
  return (
    <Page title={texts.title} description={texts.description}>
      <DropTarget label={texts.dropOnPage} onFiles={(files) => void choosing.run(files)} />
      <Paper className={classes.drop} data-chosen={chosen !== null || undefined}>
        <Stack gap="xs" align="center">
          <Text size="sm">{chosen === null ? texts.drop : chosen.file.name}</Text>
          <FileButton
            resetRef={reset}
            accept=".csv,.tsv,.txt,.xlsx"
            onChange={(file) => void choosing.run(file === null ? [] : [file])}
          >
            {(props) => (
              <Button
                variant={chosen === null ? "filled" : "default"}
                loading={choosing.busy}
                leftSection={<IconUpload size={16} aria-hidden />}
                {...props}
              >
                {chosen === null ? texts.choose : texts.chooseOther}
              </Button>
            )}
          </FileButton>
          <Text size="xs" c="dimmed">
            {texts.limit(maximumImportBytes)}
          </Text>
          {chosen === null && (
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconDownload size={14} aria-hidden />}
              onClick={() =>
                downloadBlob(texts.templateFile, new Blob(["\ufeff", importTemplate()], { type: "text/csv" }))
              }
            >
              {texts.template}
            </Button>
          )}
        </Stack>
      </Paper>
      {fault !== "" && (
        <Alert role="alert" color="red" icon={<IconAlertTriangle aria-hidden />}>
          {fault}
        </Alert>
      )}
      {choosing.error !== null && <Failure error={choosing.error} title={texts.unreadable} />}
      {faults.length > 0 && (
        <Section title={texts.unreadable}>
          <FaultTable faults={faults} />
        </Section>
      )}
      {chosen !== null && faults.length === 0 && (
        <Mapping
          key={`${chosen.file.name} ${chosen.file.lastModified} ${chosen.file.size}`}
          {...chosen}
          onStarted={() => setChosen(null)}
        />
      )}
      <RecentImports />
    </Page>
  )
}
