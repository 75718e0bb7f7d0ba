/**
 * The table of sites by coverage.
 */
import { type ReactNode, useMemo } from "react"
import { healthOfSite } from "../health/Health.ts"
import type { Column } from "../lists/DataTable.tsx"
import { ListTable } from "../lists/ListTable.tsx"
import type { ListQuery } from "../lists/useListQuery.ts"
import { documentTexts } from "../texts/en/documents.ts"
import { healthTexts } from "../texts/en/health.ts"
import { siteTexts as texts } from "../texts/en/sites.ts"
import { HealthCell, Line, type NameOf, SiteLink } from "./SiteColumns.tsx"
import { SitesSkeleton } from "./SitesSkeleton.tsx"
import type { SiteFilters, SiteSort } from "./siteFilters.ts"
import type { CoveredSite } from "./siteReading.ts"

const coveredSiteColumns = (nameOf: NameOf): ReadonlyArray<Column<CoveredSite, SiteSort>> => [
  {
    key: "name",
    label: texts.columns.siteName,
    cell: (site) => <SiteLink {...site} />
  },
  {
    key: "health",
    label: healthTexts.column,
    cell: (site) => <HealthCell health={healthOfSite(site)} />
  },
  {
    key: "documents",
    label: texts.columns.documents,
    cell: ({ documentTypes }) => documentTypes.map((type) => documentTexts.documentTypes[type]).join(", ")
  },
  {
    key: "portfolio",
    label: texts.columns.portfolio,
    wide: true,
    cell: ({ portfolioId }) => <Line>{nameOf(portfolioId)}</Line>
  }
]

interface Props {
  readonly list: ListQuery<SiteFilters, CoveredSite>
  readonly nameOf: NameOf
  readonly empty: ReactNode
}

export const CoveredSites = ({ empty, list, nameOf }: Props) => {
  const columns = useMemo(() => coveredSiteColumns(nameOf), [nameOf])
  return <ListTable label={texts.table} list={list} columns={columns} empty={empty} waiting={<SitesSkeleton />} />
}
