/**
 * The data of a site.
 */
import { Anchor, Badge, Group, Paper, Text } from "@mantine/core"
import type { Site } from "@solar-sites/http-node/client"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { Detail, Details } from "../shell/Details.tsx"
import { SmallLink } from "../shell/SmallLink.tsx"
import { fieldLabels } from "../sites/SiteFields.ts"
import { sitePageTexts as texts } from "../texts/en/site.ts"
import { formatExact, formatInstant, formatNumber } from "../texts/formats.ts"
import classes from "./Site.module.css"

const degrees = (value: number | null): string =>
  value === null ? texts.unknown : `${formatExact(Math.round(value * 1e5) / 1e5)}°`

// A comma would look like that of a decimal.
const positionOf = ({ latitude, longitude }: Site): string =>
  latitude === null && longitude === null ? texts.unknown : `${degrees(latitude)} / ${degrees(longitude)}`

const textOf = (value: Site["attributes"][string]): string => {
  if (value === null) return texts.unknown
  if (typeof value === "boolean") return value ? texts.yes : texts.no
  return typeof value === "number" ? formatNumber(value) : value
}

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
      <Details>
        <Detail name={fieldLabels.capacity}>{`${formatNumber(site.capacity)} ${site.unit}`}</Detail>
        <Detail name={fieldLabels.portfolioId}>
          {site.portfolioId === null ? (
            texts.noPortfolio
          ) : (
            <SmallLink to={`/portfolios/${site.portfolioId}`}>{nameOf(site.portfolioId)}</SmallLink>
          )}
        </Detail>
        <Detail name={fieldLabels.address}>
          <span className={classes.lines}>{site.address ?? texts.unknown}</span>
        </Detail>
        <Detail name={texts.position}>{positionOf(site)}</Detail>
        <Detail name={fieldLabels.siteManager}>
          <Manager manager={site.siteManager} />
        </Detail>
        {site.externalId !== null && <Detail name={texts.externalId}>{site.externalId}</Detail>}
        {site.tags.length > 0 && (
          <Detail name={texts.tags}>
            <Group gap={4}>
              {site.tags.map((tag) => (
                <Badge key={tag} variant="default" tt="none" fw={500}>
                  {tag}
                </Badge>
              ))}
            </Group>
          </Detail>
        )}
        {Object.keys(site.attributes).length > 0 && (
          <Detail name={texts.attributes}>
            <Details>
              {Object.entries(site.attributes).map(([name, value]) => (
                <Detail key={name} name={name}>
                  {textOf(value)}
                </Detail>
              ))}
            </Details>
          </Detail>
        )}
        <Detail name={texts.createdAt}>{formatInstant(site.createdAt)}</Detail>
        <Detail name={texts.updatedAt}>{formatInstant(site.updatedAt)}</Detail>
      </Details>
    </Paper>
  )
}
