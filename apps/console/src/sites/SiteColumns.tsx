/**
 * Columns of the table of sites.
 */
import type { Site } from "@solar-sites/http-node/client"
import { Link } from "react-router"
import type { Health } from "../health/Health.ts"
import { HealthSignal } from "../health/HealthSignal.tsx"
import type { HealthOfSite } from "../health/healthQueries.ts"
import type { Column } from "../lists/DataTable.tsx"
import { healthTexts } from "../texts/en/health.ts"
import { siteTexts as texts } from "../texts/en/sites.ts"
import { formatDate, formatNumber } from "../texts/formats.ts"
import classes from "./Sites.module.css"
import type { SiteSort } from "./siteFilters.ts"

export type NameOf = (portfolioId: string | null) => string

const oneLine = (address: string | null): string =>
  (address ?? "")
    .split("\n")
    .flatMap((line) => line.trim() || [])
    .join(", ")

const Line = ({ children, dimmed = false }: { readonly children: string; readonly dimmed?: boolean }) => (
  <span className={dimmed ? classes.dimmedLine : classes.line} title={children}>
    {children}
  </span>
)

const SiteLink = ({ id, siteName }: Pick<Site, "id" | "siteName">) => (
  <Link to={`/sites/${id}`} className={classes.link} title={siteName}>
    {siteName}
  </Link>
)

/** Columns of a user who has chosen none. */
export const usualColumns: ReadonlyArray<string> = ["health", "address", "capacity", "portfolio"]

/** Empty until it is read, and for a site without requirements. */
const HealthCell = ({ health }: { readonly health: Health | null | undefined }) =>
  health === undefined || health === null ? null : <HealthSignal state={health} />

export const siteColumns = (nameOf: NameOf, healthOf: HealthOfSite): ReadonlyArray<Column<Site, SiteSort>> => [
  {
    key: "name",
    label: texts.columns.siteName,
    sort: "siteName",
    cell: (site) => (
      <div className={classes.name}>
        <SiteLink {...site} />
        <div className={classes.summary}>
          {[nameOf(site.portfolioId), oneLine(site.address)].filter(Boolean).join(" · ")}
        </div>
        <div className={classes.narrow} data-waiting={healthOf(site.id) === undefined || undefined}>
          <HealthCell health={healthOf(site.id)} />
        </div>
      </div>
    )
  },
  {
    key: "health",
    label: healthTexts.column,
    sort: "health",
    wide: true,
    cell: ({ id }) => (
      <div className={classes.health}>
        <HealthCell health={healthOf(id)} />
      </div>
    )
  },
  {
    key: "externalId",
    label: texts.columns.externalId,
    wide: true,
    cell: ({ externalId }) => <Line>{externalId ?? ""}</Line>
  },
  {
    key: "address",
    label: texts.columns.address,
    wide: true,
    cell: ({ address }) => <Line dimmed>{oneLine(address)}</Line>
  },
  {
    key: "capacity",
    label: texts.columns.capacityKw,
    sort: "capacityKw",
    numeric: true,
    cell: ({ capacity, unit }) => `${formatNumber(capacity)} ${unit}`
  },
  {
    key: "portfolio",
    label: texts.columns.portfolio,
    wide: true,
    cell: ({ portfolioId }) => <Line>{nameOf(portfolioId)}</Line>
  },
  { key: "tags", label: texts.columns.tags, wide: true, cell: ({ tags }) => <Line>{tags.join(", ")}</Line> },
  {
    key: "manager",
    label: texts.columns.manager,
    wide: true,
    cell: ({ siteManager }) => <Line>{siteManager?.name ?? ""}</Line>
  },
  {
    key: "created",
    label: texts.columns.createdAt,
    sort: "createdAt",
    wide: true,
    numeric: true,
    cell: ({ createdAt }) => formatDate(createdAt)
  },
  {
    key: "updated",
    label: texts.columns.updatedAt,
    sort: "updatedAt",
    wide: true,
    numeric: true,
    cell: ({ updatedAt }) => formatDate(updatedAt)
  }
]
