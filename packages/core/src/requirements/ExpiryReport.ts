/**
 * Reads what has expired, expires or is missing. An application shows it; no operation of the API does.
 */
import { Context, Effect, Layer } from "effect"
import type { AccessRefused } from "../caller/AccessGuard.ts"
import { CurrentCaller } from "../caller/Caller.ts"
import type { PortfolioId } from "../caller/PortfolioId.ts"
import type { Document } from "../documents/Document.ts"
import { DocumentRepository } from "../documents/DocumentRepository.ts"
import { type CalendarDate, daysAfter } from "../input/CalendarDate.ts"
import { type List, maximumPageSize, type Page, uncountedPageSize } from "../lists/Page.ts"
import { portfolioKind } from "../portfolios/PortfolioKind.ts"
import { Records } from "../records/Records.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import { siteKind } from "../sites/SiteKind.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import { Coverage } from "./Coverage.ts"
import {
  type ExpiryItem,
  type ExpiryPage,
  isExpiryState,
  isRequired,
  pageOfSelection,
  selectionAfter,
  stateWithoutRequirement,
  withItems
} from "./ExpiryList.ts"
import { expiringDays } from "./RequirementPolicy.ts"
import { findsOfList, foundList } from "./RequirementRules.ts"
import type { SiteCoverage } from "./SiteCoverage.ts"

const operation = "ExpiryReport.page"

/** Names of portfolios that one page remembers. */
const rememberedNames = 10_000

/** The first `limit` items on a day, behind `after` when it is not null, of all sites or of those of a portfolio. */
export interface ExpiryQuery {
  readonly asOf: CalendarDate
  readonly portfolioId?: PortfolioId
  readonly after: ExpiryItem | null
  readonly limit: number
}

type Unnamed = Omit<ExpiryItem, "portfolioName">

const itemsOf = ({ items, portfolioId, siteId, siteName }: SiteCoverage): ReadonlyArray<Unnamed> =>
  items.flatMap(({ state, ...item }) => (isExpiryState(state) ? { siteId, siteName, portfolioId, ...item, state } : []))

const documentsPerLoad = uncountedPageSize

/** The documents in groups of a size that bounds a load of their sites. */
const groupsOf = (documents: ReadonlyArray<Document>): ReadonlyArray<ReadonlyArray<Document>> =>
  Array.from({ length: Math.ceil(documents.length / documentsPerLoad) }, (_, index) =>
    documents.slice(index * documentsPerLoad, (index + 1) * documentsPerLoad)
  )

/** Works in the organisation of the caller, on the current documents at the time of the call. */
export class ExpiryReport extends Context.Service<
  ExpiryReport,
  {
    /**
     * What has expired in any portfolio comes first, then portfolios by name, sites without one last; in each
     * what has expired, expires, is missing, by the last day of validity. Each page reads the coverage of all
     * sites and all current documents that end soon, and holds `limit` items at most.
     */
    readonly page: (query: ExpiryQuery) => Effect.Effect<ExpiryPage, RepositoryError | AccessRefused, CurrentCaller>
  }
>()("@solar-sites/core/ExpiryReport") {
  static readonly layer: Layer.Layer<ExpiryReport, never, Coverage | DocumentRepository | Records> = Layer.effect(
    ExpiryReport,
    Effect.gen(function* () {
      const coverage = yield* Coverage
      const documents = yield* DocumentRepository
      const records = yield* Records

      /** Adds the names of portfolios, each read once. */
      const makeNaming = Effect.fnUntraced(function* () {
        const { organisationId } = yield* CurrentCaller
        const names = new Map<PortfolioId, string | null>()
        return Effect.fnUntraced(function* (items: ReadonlyArray<Unnamed>) {
          const unknown = new Set(items.flatMap(({ portfolioId }) => portfolioId ?? []).filter((id) => !names.has(id)))
          if (unknown.size > 0) {
            if (names.size > rememberedNames) names.clear()
            const finds = [{ kind: portfolioKind, by: "id", values: [...unknown] }]
            const found = yield* records.load(operation, organisationId, finds)
            for (const id of unknown) names.set(id, found.byId(portfolioKind, id)?.record.name ?? null)
          }
          return items.map((item): ExpiryItem => {
            const portfolioName = item.portfolioId === null ? null : (names.get(item.portfolioId) ?? null)
            return { ...item, portfolioName }
          })
        })
      })

      /** Items of documents of which no requirement names the type at their site. */
      const withoutRequirement = Effect.fnUntraced(function* (group: ReadonlyArray<Document>, asOf: CalendarDate) {
        const { organisationId } = yield* CurrentCaller
        const siteIds = [...new Set(group.map(({ siteId }) => siteId))]
        const finds = [...findsOfList(organisationId), { kind: siteKind, by: "id", values: siteIds }]
        const found = yield* records.load(operation, organisationId, finds)
        const { requirements } = foundList(found, organisationId)
        return group.flatMap((document): ReadonlyArray<Unnamed> => {
          const { documentType, id: documentId, siteId, validUntil } = document
          const site = found.byId(siteKind, siteId)?.record
          const state = stateWithoutRequirement(document, asOf)
          if (site === undefined || !isExpiryState(state)) return []
          const { portfolioId, siteName } = site
          if (isRequired(requirements, documentType, portfolioId)) return []
          return [{ siteId, siteName, portfolioId, documentType, documentId, validUntil, state }]
        })
      })

      const page = fnWithSpan(operation)(function* ({ after, asOf, limit, portfolioId }: ExpiryQuery) {
        const { organisationId } = yield* CurrentCaller
        const ofPortfolio = portfolioId === undefined ? {} : { portfolioId }
        const named = yield* makeNaming()
        let selection = selectionAfter(after, limit)

        let cursor: string | null = null
        do {
          const query = { ...ofPortfolio, asOf, limit: maximumPageSize, ...(cursor === null ? {} : { cursor }) }
          // The cursor is one of this list.
          const sites: List<SiteCoverage> = yield* Effect.catchTag(coverage.list(query), "ValidationFailed", Effect.die)
          selection = withItems(selection, yield* named(sites.data.flatMap(itemsOf)))
          cursor = sites.nextCursor
        } while (cursor !== null)

        // In the order of last days: each page begins where the one before it ended, and none reads later days.
        const conditions = {
          ...ofPortfolio,
          current: true,
          validUntilBefore: daysAfter(asOf, expiringDays.default + 1)
        }
        let last: Document | undefined
        let hasMore = true
        while (hasMore) {
          const sort = { by: "validUntil", order: "asc", value: last?.validUntil ?? null } as const
          const request = { after: last?.id ?? null, limit: maximumPageSize, sort }
          const found: Page<Document> = yield* documents.list(organisationId, conditions, request)
          for (const group of groupsOf(found.items)) {
            selection = withItems(selection, yield* named(yield* withoutRequirement(group, asOf)))
          }
          last = found.items.at(-1)
          hasMore = found.hasMore && last !== undefined
        }
        return pageOfSelection(selection)
      })

      return ExpiryReport.of({ page })
    })
  )
}
