/**
 * The required documents of a site: state, document, and the upload of a missing one.
 */
import { Button, Group, Paper, Table, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link } from "react-router"
import { type CoverageItem, isCovered, siteCoverageQuery } from "../coverage/coverageQueries.ts"
import { NoRequirements } from "../coverage/NoRequirements.tsx"
import { HealthSignal } from "../health/HealthSignal.tsx"
import { IconUpload } from "../shell/icons.ts"
import { NotRead } from "../shell/NotRead.tsx"
import { SmallLink } from "../shell/SmallLink.tsx"
import { useCan } from "../shell/session.ts"
import { documentTexts } from "../texts/en/documents.ts"
import { sitePageTexts as texts } from "../texts/en/site.ts"
import { formatDay } from "../texts/formats.ts"
import { useSite } from "./SitePage.tsx"

const CoverageRow = ({ item, siteId }: { readonly item: CoverageItem; readonly siteId: string }) => {
  const { documentId, documentType, state, validUntil } = item
  const canWrite = useCan("documents:write")
  const name = documentTexts.documentTypes[documentType]
  const documents = `/sites/${siteId}/documents`
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={500}>
          {name}
        </Text>
      </Table.Td>
      <Table.Td>
        <HealthSignal state={state} />
        {/* A required validity is missing, not the document. */}
        {state === "missing" && documentId !== null && (
          <Text size="xs" c="dimmed">
            {texts.noValidity}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">{validUntil === null ? texts.unknown : formatDay(validUntil)}</Table.Td>
      <Table.Td>
        <Group justify="flex-end" gap="xs">
          {documentId !== null && (
            <SmallLink to={`${documents}?document=${documentId}`} aria-label={texts.openOf(name)}>
              {texts.open}
            </SmallLink>
          )}
          {canWrite && !isCovered(item) && (
            <Button
              component={Link}
              to={`${documents}?upload=${documentType}`}
              size="compact-sm"
              variant="default"
              leftSection={<IconUpload size={14} aria-hidden />}
              aria-label={texts.uploadOf(name)}
            >
              {texts.upload}
            </Button>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}

export const SiteCoverage = () => {
  const { id } = useSite()
  const { data: items, error, refetch } = useQuery(siteCoverageQuery(id))
  if (items === undefined) return <NotRead height={120} error={error} onRetry={refetch} />
  if (items.length === 0) return <NoRequirements texts={texts} />
  return (
    <Paper withBorder>
      <Table aria-label={texts.requiredDocuments}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.columns.documentType}</Table.Th>
            <Table.Th>{texts.columns.state}</Table.Th>
            <Table.Th visibleFrom="sm">{texts.columns.validUntil}</Table.Th>
            <Table.Td />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
            <CoverageRow key={item.documentType} item={item} siteId={id} />
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}
