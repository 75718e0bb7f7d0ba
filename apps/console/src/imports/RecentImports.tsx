/**
 * The latest imports with their progress. One that has ended early is continued with the same file.
 */
import { Button, FileButton, Progress, Stack, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useQuery } from "@tanstack/react-query"
import { isProblem, messageOf, problemText } from "../api/failures.ts"
import { type SiteImport, startImport } from "../api/imports.ts"
import { Failure } from "../shell/Failure.tsx"
import { Section } from "../shell/Section.tsx"
import { SmallLink } from "../shell/SmallLink.tsx"
import { useAction } from "../shell/useAction.ts"
import { importTexts as texts } from "../texts/en/imports.ts"
import { formatInstant } from "../texts/formats.ts"
import classes from "./Imports.module.css"
import { importsQuery, refreshImports } from "./importQueries.ts"

const RunningImport = ({ found }: { readonly found: SiteImport }) => {
  const { checkedRow, fileName, storedRow } = found
  return (
    <Stack gap={4}>
      <Progress value={checkedRow === 0 ? 0 : (storedRow / checkedRow) * 100} aria-label={texts.progressOf(fileName)} />
      <Text size="xs">{storedRow === 0 ? texts.checking(checkedRow) : texts.progress(storedRow, checkedRow)}</Text>
      <Text size="xs" c="dimmed">
        {texts.goesOn}
      </Text>
    </Stack>
  )
}

const EndedImport = ({ found }: { readonly found: SiteImport }) => {
  const { fileName, id, problem, storedRow } = found
  const continuing = useAction(async (file: File | null) => {
    if (file === null) return
    try {
      await startImport(id, file, found)
      await refreshImports()
    } catch (error) {
      const message = isProblem(error, "idempotency_key_reused") ? texts.otherFile(fileName) : messageOf(error)
      notifications.show({ color: "red", title: texts.continueFailed, message })
      throw error
    }
  })
  return (
    <Stack gap={4} align="flex-start">
      <Text size="sm">
        {problem === null ? texts.stopped : problemText({ code: "import_ended", detail: problem })}{" "}
        {texts.partly(storedRow)}
      </Text>
      <FileButton accept=".csv,.tsv,.txt,.xlsx" onChange={(file) => void continuing.run(file)}>
        {(props) => (
          <Button
            size="compact-sm"
            variant="default"
            loading={continuing.busy}
            aria-label={texts.continueNamed(fileName)}
            {...props}
          >
            {texts.continue}
          </Button>
        )}
      </FileButton>
    </Stack>
  )
}

const ImportResult = ({ found }: { readonly found: SiteImport }) => {
  if (found.state === "running") return <RunningImport found={found} />
  if (found.state !== "completed") return <EndedImport found={found} />
  return (
    <Stack gap={4}>
      <Text size="sm">{texts.result(found.created, found.updated, found.unchanged)}</Text>
      <SmallLink to="/sites?sort=createdAt&order=desc">{texts.showSites}</SmallLink>
    </Stack>
  )
}

export const RecentImports = () => {
  const { data, error, refetch } = useQuery(importsQuery)
  if (error !== null && data === undefined) return <Failure error={error} onRetry={() => void refetch()} />
  if (data === undefined || data.length === 0) return null
  return (
    <Section title={texts.recent}>
      <table className={classes.table} aria-label={texts.recentTable}>
        <thead>
          <tr>
            <th>{texts.recentHeads.file}</th>
            <th>{texts.recentHeads.state}</th>
            <th>{texts.recentHeads.result}</th>
            <th className={classes.wide}>{texts.recentHeads.started}</th>
          </tr>
        </thead>
        <tbody>
          {data.map((found) => (
            <tr key={found.id}>
              <td>{found.fileName}</td>
              <td>{texts.states[found.state]}</td>
              <td aria-live="polite">
                <ImportResult found={found} />
              </td>
              <td className={classes.wide}>{formatInstant(found.startedAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
