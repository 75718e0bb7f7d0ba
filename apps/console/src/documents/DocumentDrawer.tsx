/**
 * One document beside the page: preview, metadata, revisions and history. It works on every page.
 */
import { Drawer, Group, Skeleton, Stack, Text } from "@mantine/core"
import type { Document } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import { ActivityList } from "../activity/ActivityList.tsx"
import { isProblem } from "../api/failures.ts"
import { useHealthOfDocuments } from "../health/healthQueries.ts"
import { Failure } from "../shell/Failure.tsx"
import { Section } from "../shell/Section.tsx"
import { useCan } from "../shell/session.ts"
import { siteQuery } from "../sites/siteQueries.ts"
import { documentTexts as texts } from "../texts/en/documents.ts"
import { asDecided } from "./DelayedDecisions.ts"
import { DocumentButtons } from "./DocumentButtons.tsx"
import { DocumentContext } from "./DocumentContext.tsx"
import { DocumentDetails } from "./DocumentDetails.tsx"
import { DocumentPreview } from "./DocumentPreview.tsx"
import { DocumentState } from "./DocumentState.tsx"
import classes from "./Documents.module.css"
import { useDecisions } from "./decisions.tsx"
import { documentQuery } from "./documentQueries.ts"
import { type ListPlace, PlaceInList } from "./PlaceInList.tsx"
import { Revisions } from "./Revisions.tsx"

interface Props {
  readonly documentId: string
  readonly onClose: () => void
  /** Shows another document, such as an older revision. */
  readonly onOpen: (documentId: string) => void
  /** Place of the document in its list. */
  readonly place?: ListPlace | undefined
  /** Called after an approval or a rejection, such as to go on to the next document of a list. */
  readonly onDecided?: ((document: Document) => void) | undefined
}

type Shown = Omit<Props, "documentId" | "place"> & { readonly document: Document }

const Loaded = ({ document, onClose, onDecided, onOpen }: Shown) => {
  const canReadEvents = useCan("events:read")
  const healthOf = useHealthOfDocuments()
  const { data: site } = useQuery(siteQuery(document.siteId))
  const portfolioId = site?.portfolioId ?? null
  const decided = asDecided(useDecisions(), document)
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="xs">
        <Stack gap={4}>
          <DocumentContext document={document} site={site} />
          <div>
            <DocumentState document={decided} health={healthOf(decided, portfolioId)} />
          </div>
        </Stack>
        <DocumentButtons document={document} onClose={onClose} onDecided={onDecided} />
      </Group>
      <div className={classes.drawer}>
        <DocumentPreview document={document} />
        <Stack gap="md">
          <Section title={texts.details}>
            <DocumentDetails document={document} />
          </Section>
          <Section title={texts.revisions}>
            <Revisions document={document} portfolioId={portfolioId} onOpen={onOpen} />
          </Section>
          {canReadEvents && (
            <Section title={texts.history}>
              <ActivityList filter={{ subjectId: document.id }} />
            </Section>
          )}
        </Stack>
      </div>
    </Stack>
  )
}

export const DocumentDrawer = ({ documentId, place, ...props }: Props) => {
  const { onClose } = props
  const { data: document, error, refetch } = useQuery(documentQuery(documentId))
  const isMissing = isProblem(error, "document_not_found")
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="min(1180px, 100%)"
      title={document?.filename ?? texts.document}
    >
      {place !== undefined && <PlaceInList {...place} />}
      {document !== undefined && !isMissing && <Loaded document={document} {...props} />}
      {isMissing && <Text size="sm">{texts.notFound}</Text>}
      {document === undefined && error === null && <Skeleton height={320} />}
      {error !== null && !isMissing && <Failure error={error} onRetry={() => void refetch()} />}
    </Drawer>
  )
}
