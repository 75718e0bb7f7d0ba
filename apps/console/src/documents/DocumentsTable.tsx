/**
 * The documents of a site with their states.
 */
import { Group, Table, Text } from "@mantine/core"
import type { Document } from "@solar-sites/http-node/client"
import { documentTexts as texts } from "../texts/documents.ts"
import { formatBytes, formatDate, formatInstant } from "../texts/formats.ts"
import { DocumentActions } from "./DocumentActions.tsx"
import classes from "./Documents.module.css"

const kindOf = ({ documentType, type }: Document): string =>
  [texts.purposes[type], documentType === null ? "" : texts.documentTypes[documentType]].filter(Boolean).join(" · ")

const sizeOf = ({ sizeBytes }: Document): string => (sizeBytes === null ? "" : formatBytes(sizeBytes))

const State = ({ document }: { readonly document: Document }) => (
  <>
    <span className={classes.badge} data-state={document.status}>
      {texts.states[document.status]}
    </span>
    {document.failureReason !== null && (
      <Text size="xs" c="dimmed" maw={260} className={classes.filename}>
        {document.failureReason}
      </Text>
    )}
  </>
)

const DocumentRow = ({ document }: { readonly document: Document }) => (
  <Table.Tr>
    <Table.Td className={classes.filename}>
      <Text size="sm" fw={500}>
        {document.filename}
      </Text>
      {document.omRecordId !== null && (
        <Text size="xs" c="dimmed">
          {texts.omRecord(document.omRecordId)}
        </Text>
      )}
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        {[kindOf(document), sizeOf(document)].filter(Boolean).join(" · ")}
      </Text>
    </Table.Td>
    <Table.Td visibleFrom="sm">
      <Text size="sm" c="dimmed">
        {kindOf(document)}
      </Text>
    </Table.Td>
    <Table.Td visibleFrom="sm" className={classes.number}>
      {sizeOf(document)}
    </Table.Td>
    <Table.Td>
      <State document={document} />
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
)

export const DocumentsTable = ({ documents }: { readonly documents: ReadonlyArray<Document> }) => (
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
      {documents.map((document) => (
        <DocumentRow key={document.id} document={document} />
      ))}
    </Table.Tbody>
  </Table>
)
