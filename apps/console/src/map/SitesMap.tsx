/**
 * The sites on a map; beside it the selected ones and those without a position.
 */
import { Anchor, Group, Paper, ScrollArea, Stack, Text, Title } from "@mantine/core"
import type { Site } from "@solar-sites/http-node/client"
import { useMemo, useState } from "react"
import { Link } from "react-router"
import { HealthSignal } from "../health/HealthSignal.tsx"
import { type HealthOfSite, useHealthOfSites } from "../health/healthQueries.ts"
import { mapTexts as texts } from "../texts/en/map.ts"
import { formatNumber } from "../texts/formats.ts"
import { MapFrame } from "./MapFrame.tsx"
import classes from "./SitesMap.module.css"
import { isMapped, pinOf } from "./sitePins.ts"

interface Props {
  readonly sites: ReadonlyArray<Site>
  readonly nameOf: (portfolioId: string | null) => string
  /** A change of it fits the map to all sites. */
  readonly fit: string
}

// Longer lists are narrowed down by the search.
const listed = 100

// Sites with their sign: three requests. Where more fit on the map, zooming in shows those of the others.
const signed = 300

interface Healthy {
  readonly healthOf?: HealthOfSite
}

interface LineProps extends Pick<Props, "nameOf"> {
  readonly site: Site
  readonly health: ReturnType<HealthOfSite>
}

const SiteLine = ({ health, nameOf, site }: LineProps) => (
  <div>
    <Anchor component={Link} to={`/sites/${site.id}`} size="sm" fw={500}>
      {site.siteName}
    </Anchor>
    <Text size="xs" c="dimmed">
      {[`${formatNumber(site.capacity)} ${site.unit}`, nameOf(site.portfolioId), site.address]
        .filter(Boolean)
        .join(" · ")}
    </Text>
    {health !== undefined && health !== null && <HealthSignal state={health} />}
  </div>
)

const SiteLines = ({ healthOf, nameOf, sites }: Omit<Props, "fit"> & Healthy) => (
  <Stack gap="xs">
    {sites.slice(0, listed).map((site) => (
      <SiteLine key={site.id} site={site} nameOf={nameOf} health={healthOf?.(site.id)} />
    ))}
    {sites.length > listed && (
      <Text size="xs" c="dimmed">
        {texts.more(sites.length - listed)}
      </Text>
    )}
  </Stack>
)

export const SitesMap = ({ fit, nameOf, sites }: Props) => {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const mapped = useMemo(() => sites.filter(isMapped), [sites])
  const pins = useMemo(() => mapped.map(pinOf), [mapped])
  const unmapped = useMemo(() => sites.filter((site) => !isMapped(site)), [sites])
  const [shown, setShown] = useState<ReadonlyArray<string>>([])
  const healthOf = useHealthOfSites(useMemo(() => [...shown, ...selected].slice(0, signed), [shown, selected]))
  const chosen = useMemo(() => mapped.filter(({ id }) => selected.has(id)), [mapped, selected])
  return (
    <div className={classes.layout}>
      <MapFrame
        className={classes.large}
        pins={pins}
        fit={fit}
        selected={selected}
        healthOf={healthOf}
        onShown={setShown}
        onSelect={(ids) => setSelected(new Set(ids))}
      />
      <Stack gap="sm" className={classes.aside}>
        <Paper withBorder p="sm" aria-live="polite">
          <Title order={2} size="sm" mb="xs">
            {texts.chosen}
          </Title>
          {chosen.length === 0 ? (
            <Text size="sm" c="dimmed">
              {mapped.length === 0 ? texts.nothingMapped : texts.chooseHint}
            </Text>
          ) : (
            <SiteLines sites={chosen} nameOf={nameOf} healthOf={healthOf} />
          )}
        </Paper>
        {unmapped.length > 0 && (
          <Paper withBorder p="sm">
            <Group justify="space-between" mb="xs">
              <Title order={2} size="sm">
                {texts.unmapped(unmapped.length)}
              </Title>
            </Group>
            <ScrollArea.Autosize
              mah={280}
              viewportProps={{ tabIndex: 0, "aria-label": texts.unmapped(unmapped.length), role: "group" }}
            >
              <SiteLines sites={unmapped} nameOf={nameOf} />
            </ScrollArea.Autosize>
          </Paper>
        )}
      </Stack>
    </div>
  )
}
