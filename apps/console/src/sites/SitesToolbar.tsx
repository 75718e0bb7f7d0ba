/**
 * Search, portfolio and view of the sites.
 */
import { Group, SegmentedControl, Text, TextInput } from "@mantine/core"
import type { Portfolio } from "@solar-sites/http-node/client"
import { useState } from "react"
import { useLocation, useNavigationType } from "react-router"
import { PortfolioSelect } from "../portfolios/PortfolioSelect.tsx"
import { IconSearch } from "../shell/icons.ts"
import { siteTexts as texts } from "../texts/sites.ts"
import type { PageView } from "./useSiteView.ts"

interface Props {
  readonly view: PageView
  readonly onChange: (changes: Partial<PageView>) => void
  readonly portfolios: ReadonlyArray<Portfolio>
  /** The number of sites as text. */
  readonly status: string
}

/**
 * The text of the search box. Typing writes it to the address, which follows
 * with a delay; until then the box must not go back to the address. Only links
 * and steps in the history, which never replace an entry, set the box.
 */
const useSearchText = (search: string) => {
  const [text, setText] = useState(search)
  const { key } = useLocation()
  const [seenKey, setSeenKey] = useState(key)
  const navigationType = useNavigationType()
  if (key !== seenKey) {
    setSeenKey(key)
    if (navigationType !== "REPLACE") setText(search)
  }
  return [text, setText] as const
}

export const SitesToolbar = ({ onChange, portfolios, status, view }: Props) => {
  const [search, setSearch] = useSearchText(view.search)
  const type = (text: string) => {
    setSearch(text)
    onChange({ search: text })
  }
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        type="search"
        aria-label={texts.search}
        placeholder={texts.search}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search}
        onChange={(event) => type(event.currentTarget.value)}
        flex="1 1 220px"
      />
      <PortfolioSelect
        aria-label={texts.portfolioFilter}
        allowDeselect={false}
        first={[
          { value: "all", label: texts.allPortfolios },
          { value: "none", label: texts.noPortfolio }
        ]}
        portfolios={portfolios}
        value={view.portfolio}
        onChange={(portfolio) => onChange({ portfolio: portfolio ?? "all" })}
        flex="1 1 150px"
        maw={260}
      />
      <SegmentedControl
        aria-label={texts.view}
        data={[
          { value: "table", label: texts.asTable },
          { value: "map", label: texts.asMap }
        ]}
        value={view.asMap ? "map" : "table"}
        onChange={(chosen) => onChange({ asMap: chosen === "map" })}
      />
      <Text size="sm" c="dimmed" role="status" ml="auto">
        {status}
      </Text>
    </Group>
  )
}
