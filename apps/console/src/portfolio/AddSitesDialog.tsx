/**
 * Adds sites that are found by a search to a portfolio: all of them, or none.
 */
import { Box, MultiSelect } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { Portfolio, Site } from "@solar-sites/http-node/client"
import { useState } from "react"
import { client } from "../api/client.ts"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { useFoundSites } from "../sites/foundSites.ts"
import { rememberSites } from "../sites/siteQueries.ts"
import { portfolioPageTexts as texts } from "../texts/en/portfolio.ts"

interface Props {
  readonly portfolio: Portfolio
  readonly onClose: () => void
}

export const AddSitesDialog = ({ onClose, portfolio }: Props) => {
  const [typed, setTyped] = useState("")
  const [chosen, setChosen] = useState<ReadonlyMap<string, Site>>(new Map())
  const { nameOf } = usePortfolioNames()
  const found = useFoundSites(typed).filter(({ portfolioId }) => portfolioId !== portfolio.id)
  // Chosen sites need labels when the search does not find them.
  const known = new Map([...chosen, ...found.map((site) => [site.id, site] as const)])
  const add = async () => {
    rememberSites(await client.portfolios.addSites(portfolio.id, [...chosen.keys()]))
    notifications.show({ message: texts.added(chosen.size, portfolio.name) })
  }
  return (
    <ConfirmDialog
      title={texts.addTitle(portfolio.name)}
      action={texts.addAction(chosen.size)}
      color="petrol"
      disabled={chosen.size === 0}
      onClose={onClose}
      onConfirm={add}
    >
      {/* The choices cover no button. */}
      <Box mih={320}>
        <MultiSelect
          maxDropdownHeight={180}
          label={texts.sites}
          description={texts.addHint}
          data-autofocus
          searchable
          hidePickedOptions
          nothingFoundMessage={texts.noneFound}
          searchValue={typed}
          onSearchChange={setTyped}
          // The server has searched, also in addresses, which are not shown.
          filter={({ options }) =>
            options.filter((option) => "value" in option && found.some(({ id }) => id === option.value))
          }
          data={[...known.values()].map(({ id, siteName }) => ({ value: id, label: siteName }))}
          renderOption={({ option }) =>
            [option.label, nameOf(known.get(option.value)?.portfolioId ?? null)].filter(Boolean).join(" · ")
          }
          value={[...chosen.keys()]}
          onChange={(ids) =>
            setChosen(
              new Map(
                ids.flatMap((id) => {
                  const site = known.get(id)
                  return site === undefined ? [] : [[id, site] as const]
                })
              )
            )
          }
        />
      </Box>
    </ConfirmDialog>
  )
}
