/**
 * Documents of all sites: those to review, those that expire, and all. Filters, page and the
 * document beside the list are part of the address.
 */
import { Button, EmptyState, Group, Stack, Text } from "@mantine/core"
import type { Document } from "@solar-sites/http-node/client"
import { useMemo, useState } from "react"
import { Link, useLocation, useParams, useSearchParams } from "react-router"
import { queryClient } from "../api/queries.ts"
import { asDecided, decisionOn } from "../documents/DelayedDecisions.ts"
import { DocumentActions } from "../documents/DocumentActions.tsx"
import { DocumentDrawer } from "../documents/DocumentDrawer.tsx"
import { decide, decisions, useDecisionsOfPage } from "../documents/decisions.tsx"
import { documentQuery } from "../documents/documentQueries.ts"
import { RejectDialog } from "../documents/RejectDialog.tsx"
import { useHealthOfDocuments } from "../health/healthQueries.ts"
import { countOf, ListTable } from "../lists/ListTable.tsx"
import { ListToolbar } from "../lists/ListToolbar.tsx"
import { useSelection } from "../lists/useSelection.ts"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { CsvButton } from "../shell/CsvButton.tsx"
import { NotFoundPage } from "../shell/ErrorPages.tsx"
import { IconUpload } from "../shell/icons.ts"
import { hasShortcuts } from "../shell/isPageKey.ts"
import { Page } from "../shell/Page.tsx"
import { useCan } from "../shell/session.ts"
import { TabLinks } from "../shell/TabLinks.tsx"
import { useOpenedBy } from "../shell/useOpenedBy.ts"
import { documentListTexts as texts } from "../texts/en/documentList.ts"
import { documentTexts } from "../texts/en/documents.ts"
import { uploadTexts } from "../texts/en/uploads.ts"
import { ChooseSiteDialog } from "../uploads/ChooseSiteDialog.tsx"
import { documentColumns } from "./DocumentColumns.tsx"
import { DocumentFilterInputs } from "./DocumentFilterInputs.tsx"
import { type DocumentView, documentViews, isFiltered, queryOf } from "./documentFilters.ts"
import { useDocumentList, useSitesOf } from "./documentListQueries.ts"
import { ReviewBar } from "./ReviewBar.tsx"
import { useDocumentTotal } from "./useDocumentTotal.ts"
import { useReviewKeys } from "./useReviewKeys.ts"

const pathOf = (view: DocumentView): string => (view === "review" ? "/documents" : `/documents/${view}`)

const tabs = documentViews.map((view) => ({ to: pathOf(view), label: texts.views[view] }))

const nothing: ReadonlyArray<Document> = []

/** The document beside the list. */
const useOpened = () => {
  const [parameters, setParameters] = useSearchParams()
  const { state } = useLocation()
  const opened = parameters.get("document")
  const open = (documentId: string | null) =>
    setParameters(
      (before) => {
        const next = new URLSearchParams(before)
        if (documentId === null) next.delete("document")
        else next.set("document", documentId)
        return next
      },
      // The state holds the pages before this one.
      { replace: opened !== null, preventScrollReset: true, state }
    )
  return { opened, open: (documentId: string) => open(documentId), close: () => open(null) }
}

/** Read, and not left already: the address bar can be newer than the rendered page. */
const isBeside = (documentId: string): boolean =>
  new URLSearchParams(location.search).get("document") === documentId &&
  queryClient.getQueryData(documentQuery(documentId).queryKey) !== undefined

/** The documents as this page has decided on them. */
const useDecided = (view: DocumentView, listed: ReadonlyArray<Document>) => {
  const all = useDecisionsOfPage()
  const documents = useMemo(() => {
    if (view === "review") return listed.filter((document) => decisionOn(all, document) === undefined)
    return listed.map((document) => asDecided(all, document))
  }, [view, listed, all])
  return { documents, isDecided: ({ id, version }: Document) => all.get(id)?.document.version === version }
}

const DocumentList = ({ view }: { readonly view: DocumentView }) => {
  const listed = useDocumentList(view)
  const { change, filters } = listed
  const { documents, isDecided } = useDecided(view, listed.items ?? nothing)
  const list = listed.items === undefined ? listed : { ...listed, items: documents }
  const total = useDocumentTotal(view, filters, listed.cursor !== "" || listed.nextCursor !== null)
  const sites = useSitesOf(documents)
  const { nameOf } = usePortfolioNames()
  const canApprove = useCan("documents:approve")
  const canUpload = useCan("documents:write")
  const uploading = useOpenedBy("upload", canUpload)
  const selection = useSelection<Document>()
  const [rejected, setRejected] = useState<Document>()
  const { close, open, opened } = useOpened()
  const deselect = (document: Document) => selection.mark([document], false)
  const { leave, place, rows } = useReviewKeys({
    documents,
    opened,
    onOpen: open,
    onClose: close,
    deciding: canApprove
      ? {
          isShown: ({ id }) => opened === null || isBeside(id),
          approve: (document) => {
            decide(document, { status: "approved" })
            deselect(document)
          },
          reject: setRejected,
          select: (document) => view === "review" && selection.mark([document], !selection.items.has(document.id)),
          undo: () => decisions.undo()?.id
        }
      : undefined
  })
  const healthOf = useHealthOfDocuments()
  const columns = documentColumns({ view, sites, portfolioName: nameOf, healthOf, onOpen: open })
  const csv = useMemo(
    () => new URLSearchParams(Object.entries(queryOf(view, filters)).map(([name, value]) => [name, String(value)])),
    [view, filters]
  )

  return (
    <Page
      title={texts.title}
      tabs={<TabLinks label={texts.tabs} tabs={tabs} />}
      actions={
        <Group gap="xs">
          <CsvButton path={`/api/docs?${csv}`} fileName={`documents-${view}.csv`} />
          {canUpload && (
            <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={uploading.open}>
              {uploadTexts.open}
            </Button>
          )}
        </Group>
      }
    >
      <Stack gap="sm" ref={rows}>
        <ListToolbar
          label={documentTexts.search}
          search={filters.search}
          onSearch={(search) => change({ search })}
          status={countOf(list, texts, total)}
        >
          <DocumentFilterInputs view={view} filters={filters} onChange={change} />
        </ListToolbar>
        <ListTable
          label={documentTexts.title}
          list={list}
          columns={columns}
          empty={
            listed.nextCursor !== null ? (
              <EmptyState title={texts.pageDone} py="xl">
                <Button onClick={() => void decisions.flush()}>{texts.nextDocuments}</Button>
              </EmptyState>
            ) : isFiltered(filters) ? (
              <EmptyState title={texts.noneFound} description={texts.noneFoundHint} py="xl">
                <Button component={Link} to={pathOf(view)} variant="default">
                  {texts.showAll}
                </Button>
              </EmptyState>
            ) : (
              <EmptyState title={texts.none[view]} description={texts.noneHint[view]} py="xl" />
            )
          }
          selecting={
            canApprove && view === "review"
              ? { ...selection, labelOf: ({ filename }) => texts.select(filename), pageLabel: texts.selectPage }
              : undefined
          }
          actionsOf={(document) =>
            isDecided(document) ? null : <DocumentActions document={document} onDecided={deselect} />
          }
        />
        {documents.length > 0 && hasShortcuts() && (
          <Text size="xs" c="dimmed" visibleFrom="sm">
            {canApprove && view === "review" ? texts.keys : texts.keysToMove}
          </Text>
        )}
        <ReviewBar selection={selection} shown={documents} />
      </Stack>
      {uploading.opened && <ChooseSiteDialog onClose={uploading.close} />}
      {opened !== null && (
        <DocumentDrawer
          documentId={opened}
          onClose={close}
          onOpen={open}
          place={place}
          onDecided={(document) => {
            deselect(document)
            leave(document)
          }}
        />
      )}
      {rejected !== undefined && (
        <RejectDialog
          document={rejected}
          onClose={() => setRejected(undefined)}
          onRejected={() => {
            deselect(rejected)
            if (opened !== null) leave(rejected)
          }}
        />
      )}
    </Page>
  )
}

export const DocumentListPage = () => {
  const { view } = useParams()
  const known = view === undefined ? "review" : documentViews.find((name) => name === view && name !== "review")
  return known === undefined ? <NotFoundPage /> : <DocumentList key={known} view={known} />
}
