/**
 * Results of a search: pages at once, records from the API once typing pauses.
 */
import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query"
import { client } from "../api/client.ts"
import { isManager } from "../api/people.ts"
import { configurationQuery } from "../api/queries.ts"
import { companyPath, useCompanyTabs } from "../company/useCompanyTabs.ts"
import { useSitesOf } from "../document-list/documentListQueries.ts"
import { documentPath } from "../documents/documentPaths.ts"
import type { Health } from "../health/Health.ts"
import { useHealthOfDocuments, useHealthOfSites } from "../health/healthQueries.ts"
import { mainPages } from "../shell/Navigation.tsx"
import { useSession } from "../shell/session.ts"
import { shellTexts } from "../texts/en/shell.ts"
import { searchActions } from "./searchActions.ts"

export interface Result {
  readonly kind: "page" | "action" | "site" | "portfolio" | "document"
  readonly to: string
  readonly label: string
  /** Tells results of the same name apart; may be empty. */
  readonly hint: string
  /** Not of remembered results, as it would be old. */
  readonly health?: Health | null | undefined
}

const typingMillis = 200
const shown = 5
const timeoutMillis = 10_000

/** One kind of record. An error is shown at once, as the next letter searches again. */
const found = <Item>(
  kind: Result["kind"],
  q: string,
  read: (
    query: { readonly q: string; readonly limit: number },
    options: { readonly signal: AbortSignal; readonly timeoutMillis: number }
  ) => Promise<{ readonly data: ReadonlyArray<Item>; readonly nextCursor: string | null }>
) =>
  queryOptions({
    queryKey: [`${kind}s`, "everywhere", q],
    queryFn: ({ signal }) => read({ q, limit: shown }, { signal, timeoutMillis }),
    enabled: q !== "",
    placeholderData: keepPreviousData,
    gcTime: 60_000,
    networkMode: "always",
    retry: false
  })

/** Pages that the role of the user may open. */
export const usePages = (): ReadonlyArray<Result> => {
  const tabs = useCompanyTabs().filter(({ to }) => to !== companyPath)
  return [
    ...mainPages.map(({ label, to }) => ({ to, label, hint: "" })),
    ...tabs.map(({ label, to }) => ({ to, label, hint: shellTexts.company })),
    { to: "/account", label: shellTexts.myAccount, hint: "" }
  ].map((page) => ({ kind: "page", ...page }))
}

const nothing: ReadonlyArray<never> = []

/** Records that match; those of the last search while `isSearching`. */
export const useRecords = (typed: string) => {
  const text = typed.trim()
  const [q] = useDebouncedValue(text, typingMillis)
  const sites = useQuery(found("site", q, client.sites.list))
  const portfolios = useQuery(found("portfolio", q, client.portfolios.list))
  const documents = useQuery(found("document", q, client.documents.list))
  const queries = [sites, portfolios, documents]
  const foundSites = sites.data?.data ?? nothing
  const foundDocuments = documents.data?.data ?? nothing
  const sitesOf = useSitesOf(foundDocuments)
  const healthOfSite = useHealthOfSites(foundSites.map(({ id }) => id))
  const healthOfDocument = useHealthOfDocuments()
  const records: ReadonlyArray<Result> = [
    ...foundSites.map(({ address, id, siteName }) => ({
      kind: "site" as const,
      to: `/sites/${id}`,
      label: siteName,
      hint: address ?? "",
      health: healthOfSite(id)
    })),
    ...(portfolios.data?.data ?? nothing).map(({ externalId, id, name }) => ({
      kind: "portfolio" as const,
      to: `/portfolios/${id}`,
      label: name,
      hint: externalId ?? ""
    })),
    ...foundDocuments.map((document) => ({
      kind: "document" as const,
      to: documentPath(document),
      label: document.filename,
      hint: sitesOf.get(document.siteId)?.siteName ?? "",
      health: healthOfDocument(document, sitesOf.get(document.siteId)?.portfolioId ?? null)
    }))
  ]
  return {
    records: text === "" ? nothing : records,
    hasMore: queries.some(({ data }) => typeof data?.nextCursor === "string"),
    isSearching: text !== "" && (text !== q || queries.some(({ isFetching }) => isFetching)),
    error: text === "" ? null : (queries.find(({ error }) => error !== null)?.error ?? null)
  }
}

/** What the search offers the user to do. */
export const useSearchActions = (): ReadonlyArray<Result> => {
  const session = useSession()
  const { data: configuration } = useQuery(configurationQuery)
  const canInvite = isManager(session.user.role) && configuration?.login.password !== false
  return searchActions(session, canInvite).map((action) => ({ kind: "action", hint: "", ...action }))
}
