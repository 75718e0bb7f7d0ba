/**
 * Documents of a site with their states.
 */
import { Group, Table, Text, UnstyledButton } from "@mantine/core"
import type { Document } from "@solar-sites/http-node/client"
import { memo, useDeferredValue } from "react"
import type { Health } from "../health/Health.ts"
import { useHealthOfDocuments } from "../health/healthQueries.ts"
import { documentTexts as texts } from "../texts/en/documents.ts"
import { formatDate, formatInstant } from "../texts/formats.ts"
import { asDecided } from "./DelayedDecisions.ts"
import { DocumentActions } from "./DocumentActions.tsx"
import { DocumentState } from "./DocumentState.tsx"
import classes from "./Documents.module.css"
import { useDecisionsOfPage } from "./decisions.tsx"
import { kindOf, sizeOf, validityOf } from "./documentWords.ts"

interface Props {
  readonly documents: ReadonlyArray<Document>
  readonly portfolioId: string | null
  /** The same function at each render. */
  readonly onOpen: (documentId: string) => void
}

interface RowProps extends Pick<Props, "onOpen"> {
  /** As it is stored. */
  readonly document: Document
  /** As the user has decided on it. */
  readonly decided: Document
  readonly health: Health | null
}

// Refreshed lists share unchanged documents, so their rows are not rendered again.
const DocumentRow = memo(({ decided, document, health, onOpen }: RowProps) => (
  <Table.Tr>
    <Table.Td className={classes.filename}>
      <UnstyledButton
        className={`${classes.link} ${classes.oneLine}`}
        title={document.filename}
        onClick={() => onOpen(document.id)}
      >
        {document.filename}
      </UnstyledButton>
      {document.omRecordId !== null && (
        <Text size="xs" c="dimmed">
          {texts.omRecord(document.omRecordId)}
        </Text>
      )}
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        {[kindOf(document), sizeOf(document), validityOf(document)].filter(Boolean).join(" · ")}
      </Text>
    </Table.Td>
    <Table.Td visibleFrom="sm">
      <Text size="sm" c="dimmed">
        {kindOf(document)}
      </Text>
      {validityOf(document) !== "" && (
        <Text size="xs" c="dimmed">
          {validityOf(document)}
        </Text>
      )}
    </Table.Td>
    <Table.Td visibleFrom="sm" className={classes.number}>
      {sizeOf(document)}
    </Table.Td>
    <Table.Td>
      <DocumentState document={decided} health={health} />
    </Table.Td>
    <Table.Td visibleFrom="md">
      <Text size="sm" c="dimmed" className={classes.state} title={formatInstant(document.createdAt)}>
        {formatDate(document.createdAt)}
      </Text>
    </Table.Td>
    <Table.Td>
      <Group justify="flex-end" gap={4} wrap="nowrap">
        <DocumentActions document={document} />
      </Group>
    </Table.Td>
  </Table.Tr>
))

export const DocumentsTable = ({ documents, onOpen, portfolioId }: Props) => {
  const healthOf = useHealthOfDocuments()
  // Rows are rendered in slices: while files are uploaded, fifty of them change at once.
  const rows = useDeferredValue(documents)
  const decisions = useDecisionsOfPage()
  return (
    <Table aria-label={texts.title} verticalSpacing={5}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.filename}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.kind}</Table.Th>
          <Table.Th visibleFrom="sm" className={classes.number}>
            {texts.columns.size}
          </Table.Th>
          <Table.Th>{texts.columns.state}</Table.Th>
          <Table.Th visibleFrom="md">{texts.columns.createdAt}</Table.Th>
          <Table.Td w={48} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((document) => {
          const decided = asDecided(decisions, document)
          const health = healthOf(decided, portfolioId)
          return <DocumentRow key={document.id} document={document} decided={decided} health={health} onOpen={onOpen} />
        })}
      </Table.Tbody>
    </Table>
  )
}
