/**
 * The chain of revisions of a document, newest first.
 */
import { Text, UnstyledButton } from "@mantine/core"
import type { Document } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import { useHealthOfDocuments } from "../health/healthQueries.ts"
import { NotRead } from "../shell/NotRead.tsx"
import { documentTexts as texts } from "../texts/en/documents.ts"
import { formatInstant } from "../texts/formats.ts"
import { DocumentState } from "./DocumentState.tsx"
import classes from "./Documents.module.css"
import { revisionsQuery } from "./documentQueries.ts"

interface Props {
  readonly document: Document
  readonly portfolioId: string | null
  readonly onOpen: (documentId: string) => void
}

export const Revisions = ({ document, onOpen, portfolioId }: Props) => {
  const healthOf = useHealthOfDocuments()
  const { data: revisions, error, refetch } = useQuery(revisionsQuery(document.id))
  if (revisions === undefined) return <NotRead height={40} error={error} onRetry={refetch} />
  if (revisions.length < 2) {
    return (
      <Text size="sm" c="dimmed">
        {texts.oneRevision}
      </Text>
    )
  }
  return (
    <ol className={classes.revisions} reversed aria-label={texts.revisions}>
      {revisions.map((revision) => (
        <li key={revision.id} aria-current={revision.id === document.id ? "true" : undefined}>
          {revision.id === document.id ? (
            <Text size="sm" fw={600} className={classes.filename}>
              {revision.filename}
            </Text>
          ) : (
            <UnstyledButton className={classes.link} onClick={() => onOpen(revision.id)}>
              {revision.filename}
            </UnstyledButton>
          )}
          <Text size="xs" c="dimmed">
            {formatInstant(revision.createdAt)}
          </Text>
          <DocumentState document={revision} health={healthOf(revision, portfolioId)} />
        </li>
      ))}
    </ol>
  )
}
