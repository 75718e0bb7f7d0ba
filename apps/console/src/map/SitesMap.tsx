/**
 * Sites on a map; beside it the chosen ones and those without a position.
 */
import { Paper, ScrollArea, Stack, Text, Title } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { HealthSignal } from "../health/HealthSignal.tsx"
import { type HealthOfSite, useHealthOfSites } from "../health/healthQueries.ts"
import { SmallLink } from "../shell/SmallLink.tsx"
import { siteQuery } from "../sites/siteQueries.ts"
import { mapTexts as texts } from "../texts/en/map.ts"
import { formatNumber } from "../texts/formats.ts"
import { type Fit, MapFrame } from "./MapFrame.tsx"
import type { Bounds, Mark } from "./Marks.ts"
import classes from "./SitesMap.module.css"

/** A number of sites, and the first of them. */
type Some = Pick<Mark, "count" | "sites">

interface Props {
  readonly marks: ReadonlyArray<Mark>
  readonly fit: Fit | undefined
  readonly unplaced: Some
  readonly nameOf: (portfolioId: string | null) => string
  readonly onView: (section: Bounds) => void
  readonly chosen: Mark | null
  /** Sites of the chosen mark. */
  readonly found: Some
  readonly onChoose: (mark: Mark) => void
}

// Sites with their sign: three requests. Where more fit on the map, zooming in shows those of the others.
const signed = 300

type Site = Mark["sites"][number]

const SiteLine = ({ healthOf, site: { id, siteName } }: { readonly site: Site; readonly healthOf?: HealthOfSite }) => {
  const health = healthOf?.(id)
  return (
    <div>
      <SmallLink to={`/sites/${id}`} fw={500}>
        {siteName}
      </SmallLink>
      {health !== undefined && health !== null && <HealthSignal state={health} />}
    </div>
  )
}

/** Empty until the site is read. */
const Summary = ({ id, nameOf }: { readonly id: string } & Pick<Props, "nameOf">) => {
  const { data: site } = useQuery(siteQuery(id))
  return (
    <Text size="xs" c="dimmed">
      {site &&
        [`${formatNumber(site.capacity)} ${site.unit}`, nameOf(site.portfolioId), site.address]
          .filter(Boolean)
          .join(" · ")}
    </Text>
  )
}

const SiteLines = ({ count, healthOf, sites }: Some & { readonly healthOf?: HealthOfSite }) => (
  <Stack gap="xs">
    {sites.map((site) => (
      <SiteLine key={site.id} site={site} {...(healthOf && { healthOf })} />
    ))}
    {count > sites.length && (
      <Text size="xs" c="dimmed">
        {texts.more(count - sites.length)}
      </Text>
    )}
  </Stack>
)

export const SitesMap = ({ chosen, fit, found, marks, nameOf, onChoose, onView, unplaced }: Props) => {
  const [shown, setShown] = useState<ReadonlyArray<string>>([])
  const ids = useMemo(() => [...new Set([...found.sites.map(({ id }) => id), ...shown])], [shown, found.sites])
  const healthOf = useHealthOfSites(useMemo(() => ids.slice(0, signed), [ids]))
  const [only] = found.count === 1 ? found.sites : []
  return (
    <div className={classes.layout}>
      <MapFrame
        className={classes.large}
        marks={marks}
        fit={fit}
        selected={chosen}
        healthOf={healthOf}
        onShown={setShown}
        onSelect={onChoose}
        onView={onView}
      />
      <Stack gap="sm" className={classes.aside}>
        <Paper withBorder p="sm" aria-live="polite">
          <Title order={2} size="sm" mb="xs">
            {texts.chosen}
          </Title>
          {chosen === null ? (
            <Text size="sm" c="dimmed">
              {fit?.bounds === null ? texts.nothingMapped : texts.chooseHint}
            </Text>
          ) : (
            <SiteLines {...found} healthOf={healthOf} />
          )}
          {only !== undefined && <Summary id={only.id} nameOf={nameOf} />}
        </Paper>
        {unplaced.count > 0 && (
          <Paper withBorder p="sm">
            <Title order={2} size="sm" mb="xs">
              {texts.unmapped(unplaced.count)}
            </Title>
            <ScrollArea.Autosize
              mah={280}
              viewportProps={{ tabIndex: 0, "aria-label": texts.unmapped(unplaced.count), role: "group" }}
            >
              <SiteLines {...unplaced} />
            </ScrollArea.Autosize>
          </Paper>
        )}
      </Stack>
    </div>
  )
}
