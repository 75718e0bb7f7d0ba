/**
 * Chooses a site, found by the server's search in names, addresses and external ids.
 */
import { Select } from "@mantine/core"
import type { Site } from "@solar-sites/http-node/client"
import { useState } from "react"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { siteTexts as texts } from "../texts/sites.ts"
import { useFoundSites } from "./foundSites.ts"

interface Props {
  readonly label: string
  readonly description: string
  readonly value: string | null
  readonly onChange: (siteId: string | null) => void
}

export const SiteSelect = ({ onChange, value, ...props }: Props) => {
  const [typed, setTyped] = useState("")
  // The label of the chosen site is no search.
  const [chosen, setChosen] = useState<Site>()
  const found = useFoundSites(typed === chosen?.siteName ? "" : typed)
  const { nameOf } = usePortfolioNames()
  const known = new Map([...(chosen === undefined ? [] : [chosen]), ...found].map((site) => [site.id, site]))
  return (
    <Select
      {...props}
      data-autofocus
      searchable
      maxDropdownHeight={180}
      nothingFoundMessage={texts.noneFound}
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has searched, also in what is not shown.
      filter={({ options }) => options}
      data={[...known.values()].map(({ id, siteName }) => ({ value: id, label: siteName }))}
      renderOption={({ option }) =>
        [option.label, nameOf(known.get(option.value)?.portfolioId ?? null)].filter(Boolean).join(" · ")
      }
      value={value}
      onChange={(id) => {
        setChosen(id === null ? undefined : known.get(id))
        onChange(id)
      }}
    />
  )
}
