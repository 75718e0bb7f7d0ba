/**
 * The documents of a site, and uploads of new ones.
 */
import { Paper, Skeleton, Stack, Text, Title } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Failure } from "../shell/Failure.tsx"
import { useCan } from "../shell/session.ts"
import { documentTexts as texts } from "../texts/documents.ts"
import { DocumentsTable } from "./DocumentsTable.tsx"
import { DropArea } from "./DropArea.tsx"
import { documentsQuery } from "./documentQueries.ts"
import { UploadList } from "./UploadList.tsx"

const Documents = ({ siteId }: { readonly siteId: string }) => {
  const { data: documents, error, refetch } = useQuery(documentsQuery(siteId))
  if (documents === undefined) {
    return error === null ? <Skeleton height={120} /> : <Failure error={error} onRetry={() => void refetch()} />
  }
  if (documents.length > 0) {
    return (
      <Paper withBorder>
        <DocumentsTable documents={documents} />
      </Paper>
    )
  }
  return (
    <Text size="sm" c="dimmed">
      {texts.none}. {texts.noneHint}
    </Text>
  )
}

export const DocumentsSection = ({ siteId }: { readonly siteId: string }) => {
  const canWrite = useCan("documents:write")
  return (
    <Stack gap="lg">
      {canWrite && (
        <Stack gap="sm">
          <DropArea siteId={siteId} />
          <UploadList siteId={siteId} />
        </Stack>
      )}
      <Stack gap="sm">
        <Title order={2}>{texts.title}</Title>
        <Documents siteId={siteId} />
      </Stack>
    </Stack>
  )
}
