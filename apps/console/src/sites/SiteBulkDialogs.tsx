/**
 * Dialogs for selected sites. Sites move and get their tags in batches; deletions go site by site, because
 * the API deletes one site per request.
 */
import { Stack, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { Portfolio } from "@solar-sites/http-node/client"
import { type ReactNode, useState } from "react"
import { client } from "../api/client.ts"
import { isProblem } from "../api/failures.ts"
import { EachDialog } from "../lists/EachDialog.tsx"
import { PortfolioSelect } from "../portfolios/PortfolioSelect.tsx"
import { TagsInput } from "../shell/TagsInput.tsx"
import { siteBulkTexts as texts } from "../texts/en/siteBulk.ts"
import { siteTexts } from "../texts/en/sites.ts"
import type { SelectedSite } from "./SelectedSite.ts"
import { batchesOf, moveBatch, type SiteBatch, tagBatch, tagBatchesOf } from "./siteBatches.ts"
import { forgetSites, refreshMovedSites, refreshSites } from "./siteQueries.ts"

interface Props {
  readonly sites: ReadonlyArray<SelectedSite>
  readonly onClose: () => void
  /** Called with the sites that were not changed. */
  readonly onDone: (left: ReadonlyArray<SelectedSite>) => void
}

interface MoveProps extends Props {
  readonly portfolios: ReadonlyArray<Portfolio>
}

const idsOf = (sites: ReadonlyArray<SelectedSite>): ReadonlyArray<string> => sites.map(({ id }) => id)

const sizeOf = ({ length }: SiteBatch): number => length

const nameOf = (batch: SiteBatch): string => texts.batch(batch[0]?.siteName ?? "", batch.length)

interface BatchProps extends Props {
  readonly title: string
  readonly action: string
  readonly disabled?: boolean
  readonly move: (siteIds: ReadonlyArray<string>) => Promise<unknown>
  readonly doneText: (count: number) => string
  readonly children: ReactNode
}

/** Batches go one after another, since each locks the portfolio. */
const BatchDialog = ({ children, doneText, move, onDone, sites, ...dialog }: BatchProps) => {
  const [batches] = useState(() => batchesOf(sites))
  const done = (batchesLeft: ReadonlyArray<SiteBatch>) => {
    const left = batchesLeft.flat()
    void refreshMovedSites()
    notifications.show({ message: doneText(sites.length - left.length) })
    onDone(left)
  }
  return (
    <EachDialog
      {...dialog}
      color="petrol"
      items={batches}
      sizeOf={sizeOf}
      concurrency={1}
      nameOf={nameOf}
      act={(batch) => moveBatch(batch, move)}
      onDone={done}
    >
      {children}
      {batches.length > 1 && <Text size="sm">{texts.inBatches}</Text>}
    </EachDialog>
  )
}

export const MoveSitesDialog = ({ portfolios, ...props }: MoveProps) => {
  const [portfolioId, setPortfolioId] = useState<string | null>(null)
  const target = portfolios.find(({ id }) => id === portfolioId)
  const count = props.sites.length
  return (
    <BatchDialog
      {...props}
      title={texts.moveTitle(count)}
      action={texts.moveAction}
      disabled={target === undefined}
      move={(siteIds) => client.portfolios.addSites(target?.id ?? "", siteIds)}
      doneText={(moved) => texts.moved(moved, target?.name ?? "")}
    >
      <PortfolioSelect
        label={texts.moveTo}
        data-autofocus
        portfolios={portfolios}
        value={portfolioId}
        onChange={setPortfolioId}
      />
    </BatchDialog>
  )
}

export const TakeOutSitesDialog = ({ from, ...props }: Props & { readonly from: Portfolio }) => (
  <BatchDialog
    {...props}
    title={texts.takeOutTitle(props.sites.length, from.name)}
    action={texts.takeOut}
    move={(siteIds) => client.portfolios.removeSites(from.id, siteIds)}
    doneText={(count) => texts.takenOut(count, from.name)}
  >
    <Text size="sm">{texts.takeOutHint}</Text>
  </BatchDialog>
)

// Known tags that the dialog names.
const named = 10

export const TagSitesDialog = ({ onClose, onDone, sites }: Props) => {
  const [batches] = useState(() => tagBatchesOf(sites))
  const [added, setAdded] = useState<Array<string>>([])
  const [removed, setRemoved] = useState<Array<string>>([])
  const done = (batchesLeft: ReadonlyArray<SiteBatch>) => {
    const left = batchesLeft.flat()
    void refreshSites()
    notifications.show({ message: texts.tagged(sites.length - left.length) })
    onDone(left)
  }
  const known = [...new Set(sites.flatMap(({ tags }) => tags))].toSorted().slice(0, named)
  return (
    <EachDialog
      title={texts.tagTitle(sites.length)}
      action={texts.tagAction}
      color="petrol"
      disabled={added.length + removed.length === 0}
      items={batches}
      sizeOf={sizeOf}
      concurrency={1}
      nameOf={nameOf}
      act={(batch) => tagBatch(batch, added, removed)}
      onDone={done}
      onClose={onClose}
    >
      <Stack gap="sm">
        <TagsInput label={texts.tagsToAdd} value={added} onChange={setAdded} acceptValueOnBlur data-autofocus />
        <TagsInput
          label={texts.tagsToRemove}
          description={known.length === 0 ? texts.tagHint : texts.tagHintWith(known.join(", "))}
          value={removed}
          onChange={setRemoved}
          acceptValueOnBlur
        />
      </Stack>
    </EachDialog>
  )
}

const removeSite = (site: SelectedSite): Promise<void> =>
  client.sites.delete(site.id).catch((error: unknown) => {
    if (!isProblem(error, "site_not_found")) throw error
  })

export const DeleteSitesDialog = ({ onClose, onDone, sites }: Props) => {
  const done = (left: ReadonlyArray<SelectedSite>) => {
    const kept = new Set(idsOf(left))
    forgetSites(idsOf(sites).filter((id) => !kept.has(id)))
    notifications.show({ message: texts.deleted(sites.length - left.length) })
    onDone(left)
  }
  return (
    <EachDialog
      title={texts.deleteTitle(sites.length)}
      action={texts.deleteAction(sites.length)}
      items={sites}
      nameOf={({ siteName }) => siteName}
      act={removeSite}
      onDone={done}
      onClose={onClose}
    >
      <Text size="sm">{texts.deleteHint}</Text>
      <Text size="sm">{siteTexts.noWayBack}</Text>
    </EachDialog>
  )
}
