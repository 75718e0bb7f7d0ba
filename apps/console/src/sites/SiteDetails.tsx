/**
 * The data of a site.
 */
import { Anchor, Paper, Text } from "@mantine/core"
import type { Site } from "@solar-sites/http-node/client"
import type { ReactNode } from "react"
import { Link } from "react-router"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { formatInstant, formatNumber } from "../texts/formats.ts"
import { siteTexts as texts } from "../texts/sites.ts"
import { fieldLabels } from "./SiteFields.ts"
import classes from "./Sites.module.css"

const degrees = (value: number | null): string => (value === null ? texts.unknown : formatDegrees(value))

const formatDegrees = (value: number): string => `${Math.round(value * 1e5) / 1e5}°`

const positionOf = ({ latitude, longitude }: Site): string =>
  latitude === null && longitude === null ? texts.unknown : `${degrees(latitude)}, ${degrees(longitude)}`

const Detail = ({ children, name }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

const Manager = ({ manager }: { readonly manager: Site["siteManager"] }) => {
  if (manager === null) return texts.unknown
  const { company = null, email = null, name, phone = null } = manager
  return (
    <>
      {name}
      {company !== null && <Text size="sm">{company}</Text>}
      {email !== null && (
        <Anchor href={`mailto:${encodeURIComponent(email)}`} size="sm" display="block">
          {email}
        </Anchor>
      )}
      {phone !== null && (
        <Anchor href={`tel:${encodeURIComponent(phone)}`} size="sm" display="block">
          {phone}
        </Anchor>
      )}
    </>
  )
}

export const SiteDetails = ({ site }: { readonly site: Site }) => {
  const { nameOf } = usePortfolioNames()
  return (
    <Paper withBorder p="md">
      <dl className={classes.details}>
        <Detail name={fieldLabels.capacity}>{`${formatNumber(site.capacity)} ${site.unit}`}</Detail>
        <Detail name={fieldLabels.portfolioId}>
          {site.portfolioId === null ? (
            texts.noPortfolio
          ) : (
            <Anchor component={Link} to={`/sites?portfolio=${site.portfolioId}`} size="sm">
              {nameOf(site.portfolioId)}
            </Anchor>
          )}
        </Detail>
        <Detail name={fieldLabels.address}>
          <span className={classes.lines}>{site.address ?? texts.unknown}</span>
        </Detail>
        <Detail name={texts.position}>{positionOf(site)}</Detail>
        <Detail name={fieldLabels.siteManager}>
          <Manager manager={site.siteManager} />
        </Detail>
        <Detail name={texts.createdAt}>{formatInstant(site.createdAt)}</Detail>
        <Detail name={texts.updatedAt}>{formatInstant(site.updatedAt)}</Detail>
      </dl>
    </Paper>
  )
}
