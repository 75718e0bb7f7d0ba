/**
 * Dialogs for selected sites. All sites move, or none; tags and deletions go site by site, because
 * the API changes tags and deletes one site per request.
 */
import { Stack, TagsInput, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { Portfolio, Site } from "@solar-sites/http-node/client"
import { useState } from "react"
import { client } from "../api/client.ts"
import { isProblem } from "../api/failures.ts"
import { EachDialog } from "../lists/EachDialog.tsx"
import { PortfolioSelect } from "../portfolios/PortfolioSelect.tsx"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { siteBulkTexts as texts } from "../texts/en/siteBulk.ts"
import { siteTexts } from "../texts/en/sites.ts"
import { forgetSites, refreshSites, rememberSites } from "./siteQueries.ts"

interface Props {
  readonly sites: ReadonlyArray<Site>
  readonly onClose: () => void
}

interface MoveProps extends Props {
  readonly portfolios: ReadonlyArray<Portfolio>
  readonly onDone: () => void
}

interface EachProps extends Props {
  /** Called with the sites that were not changed. */
  readonly onDone: (left: ReadonlyArray<Site>) => void
}

const idsOf = (sites: ReadonlyArray<Site>): ReadonlyArray<string> => sites.map(({ id }) => id)

export const MoveSitesDialog = ({ onClose, onDone, portfolios, sites }: MoveProps) => {
  const [portfolioId, setPortfolioId] = useState<string | null>(null)
  const target = portfolios.find(({ id }) => id === portfolioId)
  const move = async () => {
    if (target === undefined) return
    rememberSites(await client.portfolios.addSites(target.id, idsOf(sites)))
    notifications.show({ message: texts.moved(sites.length, target.name) })
    onDone()
  }
  return (
    <ConfirmDialog
      title={texts.moveTitle(sites.length)}
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

export const TakeOutSitesDialog = ({ from, onClose, onDone, sites }: MoveProps & { readonly from: Portfolio }) => {
  const takeOut = async () => {
    await client.portfolios.removeSites(from.id, idsOf(sites))
    // The answer has no versions, so the sites are read again.
    rememberSites(sites.map((site) => ({ ...site, portfolioId: null })))
    void refreshSites()
    notifications.show({ message: texts.takenOut(sites.length, from.name) })
    onDone()
  }
  return (
    <ConfirmDialog
      title={texts.takeOutTitle(sites.length, from.name)}
      action={texts.takeOut}
      color="petrol"
      onClose={onClose}
      onConfirm={takeOut}
    >
      <Text size="sm">{texts.takeOutHint}</Text>
    </ConfirmDialog>
  )
}

const retag = async (site: Site, added: ReadonlyArray<string>, removed: ReadonlyArray<string>): Promise<void> => {
  const tags = [...new Set([...site.tags, ...added])].filter((tag) => !removed.includes(tag))
  if (JSON.stringify(tags) === JSON.stringify(site.tags)) return
  try {
    await client.sites.update(site.id, { tags }, { expectedVersion: site.version })
  } catch (error) {
    if (!isProblem(error, "precondition_failed")) throw error
    // The site was changed since it was selected.
    const newest = await client.sites.get(site.id)
    await retag(newest, added, removed)
  }
}

// Known tags that the dialog names.
const named = 10

export const TagSitesDialog = ({ onClose, onDone, sites }: EachProps) => {
  const [added, setAdded] = useState<Array<string>>([])
  const [removed, setRemoved] = useState<Array<string>>([])
  const done = (left: ReadonlyArray<Site>) => {
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
      items={sites}
      nameOf={({ siteName }) => siteName}
      act={(site) => retag(site, added, removed)}
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

const removeSite = (site: Site): Promise<void> =>
  client.sites.delete(site.id).catch((error: unknown) => {
    if (!isProblem(error, "site_not_found")) throw error
  })

export const DeleteSitesDialog = ({ onClose, onDone, sites }: EachProps) => {
  const done = (left: ReadonlyArray<Site>) => {
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
