/**
 * Pagination of the table.
 */
import { Group, Pagination, Text } from "@mantine/core"
import { siteTexts as texts } from "../texts/sites.ts"
import { pageCount, pageSize } from "./SiteList.ts"

interface Props {
  readonly count: number
  readonly page: number
  readonly onChange: (page: number) => void
}

export const SitesPages = ({ count, onChange, page }: Props) => {
  if (count <= pageSize) return null
  return (
    <Group justify="space-between" component="nav" aria-label={texts.pages}>
      <Text size="sm" c="dimmed">
        {texts.range((page - 1) * pageSize + 1, Math.min(page * pageSize, count))}
      </Text>
      <Pagination
        total={pageCount(count)}
        value={page}
        onChange={onChange}
        size="sm"
        siblings={1}
        getItemProps={(item) => ({ "aria-label": texts.page(item) })}
        getControlProps={(control) => ({ "aria-label": texts.pageControls[control] })}
      />
    </Group>
  )
}
