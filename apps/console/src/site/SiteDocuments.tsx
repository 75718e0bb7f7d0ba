/**
 * The documents of a site, with filters, and one of them beside the list. Both are part of the
 * address.
 */
import { Button, Group, Paper, Stack, Text, TextInput } from "@mantine/core"
import { useDebouncedCallback } from "@mantine/hooks"
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query"
import { useCallback, useState } from "react"
import { useSearchParams } from "react-router"
import { DocumentDrawer } from "../documents/DocumentDrawer.tsx"
import { DocumentsTable } from "../documents/DocumentsTable.tsx"
import { type DocumentFilter, documentsQuery } from "../documents/documentQueries.ts"
import { isDocumentType } from "../documents/Purpose.ts"
import { Failure } from "../shell/Failure.tsx"
import { IconSearch } from "../shell/icons.ts"
import { NotRead } from "../shell/NotRead.tsx"
import { Select } from "../shell/Select.tsx"
import { documentTexts as texts } from "../texts/en/documents.ts"
import { useSite } from "./SitePage.tsx"

type Status = NonNullable<DocumentFilter["status"]>

const isStatus = (text: string | null): text is Status => text !== null && Object.hasOwn(texts.states, text)

const states = [
  { value: "current", label: texts.current },
  ...Object.entries(texts.states).map(([value, label]) => ({ value, label }))
]
const documentTypes = Object.entries(texts.documentTypes).map(([value, label]) => ({ value, label }))

const filterOf = (parameters: URLSearchParams): DocumentFilter => {
  const [state, type, q] = [parameters.get("state"), parameters.get("type"), parameters.get("search") ?? ""]
  return {
    ...(state === "current" ? { current: true } : isStatus(state) ? { status: state } : {}),
    ...(isDocumentType(type) ? { documentType: type } : {}),
    ...(q.trim() === "" ? {} : { q })
  }
}

const typingMillis = 250

const useFilter = () => {
  const [parameters, setParameters] = useSearchParams()
  const set = useCallback(
    (name: string, value: string | null) =>
      setParameters(
        () => {
          const next = new URLSearchParams(location.search)
          if (value === null || value === "") next.delete(name)
          else next.set(name, value)
          return next
        },
        { replace: name !== "document", preventScrollReset: true }
      ),
    [setParameters]
  )
  return { parameters, set, filter: filterOf(parameters) }
}

const Filters = ({ parameters, set }: Pick<ReturnType<typeof useFilter>, "parameters" | "set">) => {
  const [search, setSearch] = useState(parameters.get("search") ?? "")
  const find = useDebouncedCallback((text: string) => set("search", text), typingMillis)
  return (
    <Group gap="sm">
      <TextInput
        type="search"
        size="sm"
        aria-label={texts.search}
        placeholder={texts.search}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search}
        onChange={({ currentTarget: { value } }) => {
          setSearch(value)
          find(value)
        }}
        flex="2 1 240px"
      />
      <Select
        aria-label={texts.columns.state}
        placeholder={texts.anyState}
        clearable
        data={states}
        value={parameters.get("state")}
        onChange={(state) => set("state", state)}
      />
      <Select
        aria-label={texts.documentType}
        placeholder={texts.anyType}
        clearable
        searchable
        data={documentTypes}
        value={parameters.get("type")}
        onChange={(type) => set("type", type)}
      />
    </Group>
  )
}

const Documents = ({ filter, onOpen }: { readonly filter: DocumentFilter; readonly onOpen: (id: string) => void }) => {
  const { id, portfolioId } = useSite()
  const query = useInfiniteQuery({ ...documentsQuery(id, filter), placeholderData: keepPreviousData })
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = query
  if (data === undefined) return <NotRead height={120} error={error} onRetry={refetch} />
  const documents = data.pages.flatMap((page) => page.data)
  if (documents.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {Object.keys(filter).length > 0 ? texts.noneFound : `${texts.none}. ${texts.noneHint}`}
      </Text>
    )
  }
  return (
    <>
      <Paper withBorder>
        <DocumentsTable documents={documents} portfolioId={portfolioId} onOpen={onOpen} />
      </Paper>
      {error !== null && <Failure error={error} onRetry={() => void fetchNextPage()} />}
      {hasNextPage && (
        <div>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.older}
          </Button>
        </div>
      )}
    </>
  )
}

export const SiteDocuments = () => {
  const { filter, parameters, set } = useFilter()
  const open = useCallback((id: string) => set("document", id), [set])
  const opened = parameters.get("document")
  return (
    <Stack gap="sm">
      <Filters parameters={parameters} set={set} />
      <Documents filter={filter} onOpen={open} />
      {opened !== null && (
        <DocumentDrawer key={opened} documentId={opened} onOpen={open} onClose={() => set("document", null)} />
      )}
    </Stack>
  )
}
