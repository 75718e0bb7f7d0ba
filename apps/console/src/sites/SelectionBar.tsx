/**
 * Actions for the selected sites.
 */
import { Button, Group, Paper, Stack, Text } from "@mantine/core"
import type { Portfolio, Site } from "@solar-sites/http-node/client"
import { useState } from "react"
import type { Selection } from "../lists/useSelection.ts"
import { Failure } from "../shell/Failure.tsx"
import { lazily } from "../shell/lazily.tsx"
import { useCan, useCanChangePortfolios, useCanMoveSites } from "../shell/session.ts"
import { listTexts } from "../texts/en/lists.ts"
import { siteBulkTexts as texts } from "../texts/en/siteBulk.ts"
import type { SelectedSite } from "./SelectedSite.ts"
import classes from "./Sites.module.css"
import type { SiteFilters } from "./siteFilters.ts"
import { useSelectFound } from "./useSelectFound.ts"

const dialogs = () => import("./SiteBulkDialogs.tsx")
const MoveSitesDialog = lazily(async () => (await dialogs()).MoveSitesDialog)
const TakeOutSitesDialog = lazily(async () => (await dialogs()).TakeOutSitesDialog)
const TagSitesDialog = lazily(async () => (await dialogs()).TagSitesDialog)
const DeleteSitesDialog = lazily(async () => (await dialogs()).DeleteSitesDialog)

interface Props {
  readonly selection: Selection<SelectedSite>
  readonly filters: SiteFilters
  /** Sites of this page. */
  readonly shown: ReadonlyArray<Site>
  /** True when the filters find sites on other pages. */
  readonly hasOthers: boolean
  readonly portfolios: ReadonlyArray<Portfolio>
  /** Number of all found sites, where it is known. */
  readonly total?: number | undefined
}

/** The portfolio of all these sites; undefined if they have several or none. */
const sharedPortfolio = (
  sites: ReadonlyArray<SelectedSite>,
  portfolios: ReadonlyArray<Portfolio>
): Portfolio | undefined => {
  const [first] = sites
  const isShared = sites.every(({ portfolioId }) => portfolioId === first?.portfolioId)
  return isShared ? portfolios.find(({ id }) => id === first?.portfolioId) : undefined
}

export const SelectionBar = ({ filters, hasOthers, portfolios, selection, shown, total }: Props) => {
  const [dialog, setDialog] = useState<"move" | "takeOut" | "tag" | "delete">()
  const selectFound = useSelectFound(filters, selection)
  const canWrite = useCan("sites:write")
  const canMove = useCanMoveSites()
  // A limited user keeps sites in portfolios.
  const canTakeOut = useCanChangePortfolios()
  const sites = [...selection.items.values()]
  const shownCount = shown.filter(({ id }) => selection.items.has(id)).length
  const from = sharedPortfolio(sites, portfolios)
  const open = (name: typeof dialog) => ({ disabled: selectFound.busy, onClick: () => setDialog(name) })
  // Sites that could not be changed stay selected.
  const keep = (left: ReadonlyArray<SelectedSite>) => {
    selection.clear()
    selection.mark(left, true)
  }
  const shared = { sites, portfolios, onClose: () => setDialog(undefined), onDone: keep }
  if (sites.length === 0 && dialog === undefined) return null
  return (
    <Paper withBorder shadow="md" p="xs" className={classes.selection}>
      <Stack gap={4}>
        <Group gap="xs">
          <Text size="sm" fw={500} role="status">
            {listTexts.selected(sites.length, shownCount)}
          </Text>
          {canMove && (
            <Button size="xs" {...open("move")}>
              {texts.move}
            </Button>
          )}
          {canTakeOut && (
            <Button size="xs" variant="default" {...open("takeOut")} disabled={selectFound.busy || from === undefined}>
              {texts.takeOut}
            </Button>
          )}
          {canWrite && (
            <>
              <Button size="xs" variant="default" {...open("tag")}>
                {texts.tag}
              </Button>
              <Button size="xs" variant="default" {...open("delete")}>
                {texts.delete}
              </Button>
            </>
          )}
          {hasOthers && !selectFound.busy && (
            <Button size="xs" variant="subtle" onClick={() => void selectFound.run()}>
              {texts.selectFound(total)}
            </Button>
          )}
          {selectFound.busy && (
            <Button size="xs" variant="subtle" onClick={selectFound.stop}>
              {texts.stopSelecting}
            </Button>
          )}
          <Button size="xs" variant="subtle" onClick={selection.clear}>
            {listTexts.clearSelection}
          </Button>
        </Group>
        {canTakeOut && from === undefined && (
          <Text size="xs" c="dimmed">
            {texts.takeOutNeedsOne}
          </Text>
        )}
        {selectFound.error !== null && (
          <Failure error={selectFound.error} title={texts.selectFailed} onRetry={() => void selectFound.run()} />
        )}
      </Stack>
      {dialog === "move" && <MoveSitesDialog {...shared} />}
      {dialog === "takeOut" && from !== undefined && <TakeOutSitesDialog {...shared} from={from} />}
      {dialog === "tag" && <TagSitesDialog {...shared} />}
      {dialog === "delete" && <DeleteSitesDialog {...shared} />}
    </Paper>
  )
}
