/**
 * Actions for the selected sites: all of them move, or none.
 */
import { Button, Group, Paper, Stack, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { Portfolio, Site } from "@solar-sites/http-node/client"
import { useState } from "react"
import { client } from "../api/client.ts"
import { PortfolioSelect } from "../portfolios/PortfolioSelect.tsx"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { siteTexts as texts } from "../texts/sites.ts"
import classes from "./Sites.module.css"
import { refreshSites, rememberSites } from "./siteQueries.ts"

interface Props {
  readonly selected: ReadonlyArray<Site>
  /** Number of sites that the search has found. */
  readonly found: number
  readonly portfolios: ReadonlyArray<Portfolio>
  readonly onSelectFound: () => void
  readonly onClear: () => void
}

interface DialogProps extends Pick<Props, "selected" | "portfolios"> {
  readonly onClose: () => void
  readonly onDone: () => void
}

// Sites per request.
const maximum = 1_000

const MoveDialog = ({ onClose, onDone, portfolios, selected }: DialogProps) => {
  const [portfolioId, setPortfolioId] = useState<string | null>(null)
  const target = portfolios.find(({ id }) => id === portfolioId)
  const move = async () => {
    if (target === undefined) return
    rememberSites(
      await client.portfolios.addSites(
        target.id,
        selected.map(({ id }) => id)
      )
    )
    notifications.show({ message: texts.moved(selected.length, target.name) })
    onDone()
  }
  return (
    <ConfirmDialog
      title={texts.moveTitle(selected.length)}
      action={texts.moveAction}
      color="petrol"
      disabled={target === undefined}
      onClose={onClose}
      onConfirm={move}
    >
      <PortfolioSelect
        label={texts.moveTo}
        description={texts.moveHint}
        data-autofocus
        portfolios={portfolios}
        value={portfolioId}
        onChange={setPortfolioId}
      />
    </ConfirmDialog>
  )
}

const TakeOutDialog = ({ from, onClose, onDone, selected }: DialogProps & { readonly from: Portfolio }) => {
  const takeOut = async () => {
    await client.portfolios.removeSites(
      from.id,
      selected.map(({ id }) => id)
    )
    // The answer has no versions, so the sites are read again.
    rememberSites(selected.map((site) => ({ ...site, portfolioId: null })))
    void refreshSites()
    notifications.show({ message: texts.takenOut(selected.length, from.name) })
    onDone()
  }
  return (
    <ConfirmDialog
      title={texts.takeOutTitle(selected.length, from.name)}
      action={texts.takeOut}
      color="petrol"
      onClose={onClose}
      onConfirm={takeOut}
    >
      <Text size="sm">{texts.takeOutHint}</Text>
    </ConfirmDialog>
  )
}

export const SelectionBar = ({ found, onClear, onSelectFound, portfolios, selected }: Props) => {
  const [dialog, setDialog] = useState<"move" | "takeOut">()
  const [first] = selected
  if (first === undefined) return null
  const together = selected.every(({ portfolioId }) => portfolioId === first.portfolioId)
  const from = together ? portfolios.find(({ id }) => id === first.portfolioId) : undefined
  const tooMany = selected.length > maximum
  const shared = { selected, portfolios, onClose: () => setDialog(undefined), onDone: onClear }
  return (
    <Paper withBorder shadow="md" p="xs" className={classes.selection}>
      <Stack gap={4}>
        <Group gap="xs">
          <Text size="sm" fw={500} role="status">
            {texts.selected(selected.length)}
          </Text>
          <Button size="xs" disabled={tooMany} onClick={() => setDialog("move")}>
            {texts.move}
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={tooMany || from === undefined}
            onClick={() => setDialog("takeOut")}
          >
            {texts.takeOut}
          </Button>
          {found > selected.length && (
            <Button size="xs" variant="subtle" onClick={onSelectFound}>
              {texts.selectFound(found)}
            </Button>
          )}
          <Button size="xs" variant="subtle" onClick={onClear}>
            {texts.clearSelection}
          </Button>
        </Group>
        {tooMany && <Text size="xs">{texts.tooManySelected(maximum)}</Text>}
        {!tooMany && !together && (
          <Text size="xs" c="dimmed">
            {texts.takeOutNeedsOne}
          </Text>
        )}
      </Stack>
      {dialog === "move" && <MoveDialog {...shared} />}
      {dialog === "takeOut" && from !== undefined && <TakeOutDialog {...shared} from={from} />}
    </Paper>
  )
}
