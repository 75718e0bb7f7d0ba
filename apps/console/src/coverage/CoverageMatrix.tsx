/**
 * Sites as rows and kinds of documents as columns. Each cell leads to its document, or to the upload
 * of a missing one; the counts above lead to the sites that they count.
 */
import { Text, VisuallyHidden } from "@mantine/core"
import type { CoverageSummary, SiteCoverage } from "@solar-sites/http-node/client"
import { memo } from "react"
import { Link } from "react-router"
import { documentPath } from "../documents/documentPaths.ts"
import { coverageStates } from "../health/Health.ts"
import { HealthSignal } from "../health/HealthSignal.tsx"
import tableClasses from "../lists/DataTable.module.css"
import { IconArrowDown, IconArrowUp } from "../shell/icons.ts"
import { useCan } from "../shell/session.ts"
import { coverageTexts as texts } from "../texts/en/coverage.ts"
import { documentTexts } from "../texts/en/documents.ts"
import { healthTexts } from "../texts/en/health.ts"
import { formatDay, formatNumber } from "../texts/formats.ts"
import classes from "./Coverage.module.css"
import type { CoverageFilters } from "./coverageFilters.ts"
import type { CoverageItem } from "./coverageQueries.ts"

type OfType = CoverageSummary["documentTypes"][number]

interface Props {
  readonly sites: ReadonlyArray<SiteCoverage>
  readonly documentTypes: ReadonlyArray<OfType>
  readonly order: CoverageFilters["order"]
  readonly isOutdated: boolean
  readonly onFilter: (changes: Partial<CoverageFilters>) => void
}

const SiteHeading = ({ onFilter, order }: Pick<Props, "onFilter" | "order">) => {
  const Arrow = order === "desc" ? IconArrowDown : IconArrowUp
  return (
    <th scope="col" aria-sort={order === null ? "none" : order === "desc" ? "descending" : "ascending"}>
      <button
        type="button"
        className={tableClasses.heading}
        onClick={() => onFilter({ order: order === "asc" ? "desc" : "asc" })}
      >
        {texts.site}
        <Arrow size={14} aria-hidden className={tableClasses.arrow} data-active={order !== null || undefined} />
      </button>
    </th>
  )
}

const Heading = ({ ofType, onFilter }: { readonly ofType: OfType } & Pick<Props, "onFilter">) => {
  const { documentType } = ofType
  const name = documentTexts.documentTypes[documentType]
  return (
    <th scope="col">
      {name}
      <div className={classes.counts}>
        {coverageStates
          .filter((state) => ofType[state] > 0)
          .map((state) => (
            <button
              key={state}
              type="button"
              className={classes.count}
              aria-label={texts.countOf(name, healthTexts.states[state], ofType[state])}
              onClick={() => onFilter({ documentType, state })}
            >
              <HealthSignal state={state} size={14}>
                {formatNumber(ofType[state])}
              </HealthSignal>
            </button>
          ))}
      </div>
    </th>
  )
}

interface CellProps {
  readonly site: SiteCoverage
  readonly item: CoverageItem
  readonly canUpload: boolean
}

const Cell = ({ canUpload, item, site }: CellProps) => {
  const { documentId, documentType, state, validUntil } = item
  const content = (
    <>
      <VisuallyHidden>{texts.cell(site.siteName, documentTexts.documentTypes[documentType])}</VisuallyHidden>
      <HealthSignal state={state} />
      {validUntil !== null && <span className={classes.until}>{texts.until(formatDay(validUntil))}</span>}
    </>
  )
  if (documentId !== null) {
    return (
      <Link to={documentPath({ id: documentId, siteId: site.siteId })} className={classes.cell}>
        {content}
      </Link>
    )
  }
  if (!canUpload) return <span className={classes.cell}>{content}</span>
  return (
    <Link to={`/sites/${site.siteId}/documents?upload=${documentType}`} className={classes.cell}>
      {content}
      <span className={classes.until}>{texts.upload}</span>
    </Link>
  )
}

interface RowProps extends Pick<Props, "documentTypes"> {
  readonly site: SiteCoverage
  readonly canUpload: boolean
}

const Row = memo(({ canUpload, documentTypes, site }: RowProps) => {
  const items = new Map(site.items.map((item) => [item.documentType, item]))
  return (
    <tr>
      <th scope="row">
        <Link to={`/sites/${site.siteId}/coverage`} className={classes.site}>
          {site.siteName}
        </Link>
      </th>
      {documentTypes.map(({ documentType }) => {
        const item = items.get(documentType)
        return (
          <td key={documentType}>
            {item === undefined ? (
              <Text span size="sm" c="dimmed" role="img" aria-label={texts.notRequired}>
                –
              </Text>
            ) : (
              <Cell site={site} item={item} canUpload={canUpload} />
            )}
          </td>
        )
      })}
    </tr>
  )
})

export const CoverageMatrix = ({ documentTypes, isOutdated, onFilter, order, sites }: Props) => {
  const canUpload = useCan("documents:write")
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the frame
    <section className={classes.frame} aria-label={texts.matrix} tabIndex={0}>
      <table className={classes.matrix} data-outdated={isOutdated || undefined} aria-label={texts.matrix}>
        <thead>
          <tr>
            <SiteHeading order={order} onFilter={onFilter} />
            {documentTypes.map((ofType) => (
              <Heading key={ofType.documentType} ofType={ofType} onFilter={onFilter} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sites.map((site) => (
            <Row key={site.siteId} site={site} documentTypes={documentTypes} canUpload={canUpload} />
          ))}
        </tbody>
      </table>
    </section>
  )
}
