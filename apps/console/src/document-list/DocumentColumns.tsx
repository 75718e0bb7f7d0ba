/**
 * Columns of the lists of documents.
 */
import { Text, UnstyledButton } from "@mantine/core"
import type { Document, Site } from "@solar-sites/http-node/client"
import { DocumentState } from "../documents/DocumentState.tsx"
import classes from "../documents/Documents.module.css"
import { daysUntil } from "../documents/daysUntil.ts"
import { kindOf, sizeOf, validityOf } from "../documents/documentWords.ts"
import type { Health } from "../health/Health.ts"
import { HealthSignal } from "../health/HealthSignal.tsx"
import type { Column } from "../lists/DataTable.tsx"
import { SmallLink } from "../shell/SmallLink.tsx"
import { documentListTexts as texts } from "../texts/en/documentList.ts"
import { documentTexts } from "../texts/en/documents.ts"
import { formatDate, formatDay, formatInstant } from "../texts/formats.ts"
import type { DocumentSort, DocumentView } from "./documentFilters.ts"

interface Context {
  readonly view: DocumentView
  readonly sites: ReadonlyMap<string, Site>
  readonly portfolioName: (portfolioId: string | null) => string
  readonly healthOf: (document: Document, portfolioId: string | null) => Health | null
  readonly onOpen: (documentId: string) => void
}

const SiteName = ({ document, portfolioName, sites }: Pick<Context, "sites" | "portfolioName"> & Of) => {
  const site = sites.get(document.siteId)
  if (site === undefined) return null
  const portfolio = portfolioName(site.portfolioId)
  return (
    <>
      <SmallLink to={`/sites/${site.id}`} lineClamp={1} title={site.siteName}>
        {site.siteName}
      </SmallLink>
      {portfolio !== "" && (
        <Text size="xs" c="dimmed" lineClamp={1}>
          {portfolio}
        </Text>
      )}
    </>
  )
}

interface Of {
  readonly document: Document
}

/** In a list without states. */
const DocumentHealth = ({ health }: { readonly health: Health | null }) =>
  health === null ? null : (
    <div>
      <HealthSignal state={health} />
    </div>
  )

const ValidUntil = ({ document: { validFrom, validUntil }, view }: Of & Pick<Context, "view">) => {
  if (validUntil === null) return null
  return (
    <>
      <Text size="sm" className={classes.state}>
        {formatDay(validUntil)}
      </Text>
      <Text size="xs" c="dimmed" className={classes.state}>
        {view === "expiring" && texts.expiry(daysUntil(validUntil))}
        {view !== "expiring" && validFrom !== null && documentTexts.validFromDay(formatDay(validFrom))}
      </Text>
    </>
  )
}

export const documentColumns = (context: Context): ReadonlyArray<Column<Document, DocumentSort>> => {
  const { healthOf, onOpen, sites, view } = context
  const health = (document: Document) => healthOf(document, sites.get(document.siteId)?.portfolioId ?? null)
  const columns: ReadonlyArray<Column<Document, DocumentSort> & { readonly hidden?: boolean }> = [
    {
      key: "file",
      label: documentTexts.columns.filename,
      sort: "filename",
      cell: (document) => (
        <>
          <UnstyledButton
            className={`${classes.link} ${classes.oneLine}`}
            title={document.filename}
            data-document={document.id}
            onClick={() => onOpen(document.id)}
          >
            {document.filename}
          </UnstyledButton>
          {view === "review" && <DocumentHealth health={health(document)} />}
          <Text size="xs" c="dimmed" hiddenFrom="sm">
            {[sites.get(document.siteId)?.siteName, kindOf(document), validityOf(document)].filter(Boolean).join(" · ")}
          </Text>
        </>
      )
    },
    {
      key: "site",
      label: texts.columns.site,
      wide: true,
      cell: (document) => <SiteName {...context} document={document} />
    },
    {
      key: "kind",
      label: documentTexts.columns.kind,
      wide: true,
      cell: (document) => (
        <>
          <Text size="sm">{kindOf(document)}</Text>
          <Text size="xs" c="dimmed">
            {sizeOf(document)}
          </Text>
        </>
      )
    },
    {
      key: "validUntil",
      label: texts.columns.validUntil,
      sort: "validUntil",
      wide: true,
      cell: (document) => <ValidUntil document={document} view={view} />
    },
    {
      key: "state",
      label: documentTexts.columns.state,
      hidden: view === "review",
      cell: (document) => <DocumentState document={document} health={health(document)} />
    },
    {
      key: "created",
      label: documentTexts.columns.createdAt,
      sort: "createdAt",
      wide: true,
      hidden: view === "expiring",
      cell: ({ createdAt }) => (
        <Text size="sm" c="dimmed" className={classes.state} title={formatInstant(createdAt)}>
          {formatDate(createdAt)}
        </Text>
      )
    }
  ]
  return columns.filter(({ hidden = false }) => !hidden)
}
