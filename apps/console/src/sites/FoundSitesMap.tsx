/**
 * All found sites on the map, read page by page when it is opened.
 */
import { Stack, Text } from "@mantine/core"
import { SitesMap } from "../map/SitesMap.tsx"
import { Failure } from "../shell/Failure.tsx"
import { mapTexts as texts } from "../texts/en/map.ts"
import { siteTexts } from "../texts/en/sites.ts"
import type { SiteFilters } from "./siteFilters.ts"
import { mapMaximum, useManySites } from "./siteQueries.ts"

interface Props {
  readonly filters: SiteFilters
  readonly nameOf: (portfolioId: string | null) => string
}

export const FoundSitesMap = ({ filters, nameOf }: Props) => {
  const { complete, error, isCut, retry, sites } = useManySites(filters)
  const status = complete ? siteTexts.count(sites.length) : texts.reading(sites.length)
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {isCut ? texts.cut(mapMaximum) : status}
      </Text>
      {error !== null && <Failure error={error} title={texts.incomplete} onRetry={retry} />}
      <SitesMap sites={sites} nameOf={nameOf} fit={`${JSON.stringify(filters)} ${complete}`} />
    </Stack>
  )
}
