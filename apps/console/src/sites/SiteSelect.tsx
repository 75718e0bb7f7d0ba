/**
 * Chooses a site, found by the server's search in names, addresses and external ids.
 */
import type { SelectProps } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { Select } from "../shell/Select.tsx"
import { siteTexts as texts } from "../texts/en/sites.ts"
import { useFoundSites } from "./foundSites.ts"
import { siteQuery } from "./siteQueries.ts"

interface Props extends Omit<SelectProps, "data" | "value" | "onChange"> {
  readonly value: string | null
  readonly onChange: (siteId: string | null) => void
}

export const SiteSelect = ({ onChange, value, ...props }: Props) => {
  const [typed, setTyped] = useState("")
  // The label of the chosen site is no search.
  const { data: chosen } = useQuery({ ...siteQuery(value ?? ""), enabled: value !== null })
  const found = useFoundSites(typed === chosen?.siteName ? "" : typed)
  const { nameOf } = usePortfolioNames()
  const known = new Map([...(chosen === undefined ? [] : [chosen]), ...found].map((site) => [site.id, site]))
  return (
    <Select
      {...props}
      searchable
      maxDropdownHeight={180}
      nothingFoundMessage={texts.noneFound}
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has searched, also in addresses, which are not shown.
      filter={({ options }) => options}
      data={[...known.values()].map(({ id, siteName }) => ({ value: id, label: siteName }))}
      renderOption={({ option }) =>
        [option.label, nameOf(known.get(option.value)?.portfolioId ?? null)].filter(Boolean).join(" · ")
      }
      value={value}
      onChange={onChange}
    />
  )
}
