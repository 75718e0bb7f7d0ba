/**
 * Confirms that a site is deleted, with its documents.
 */
import { Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { Site } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import { client } from "../api/client.ts"
import { documentCountQuery } from "../documents/documentQueries.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { siteTexts as texts } from "../texts/en/sites.ts"
import { forgetSites } from "./siteQueries.ts"

interface Props {
  readonly site: Site
  readonly onClose: () => void
  readonly onDeleted?: (() => unknown) | undefined
}

export const DeleteSiteDialog = ({ onClose, onDeleted, site }: Props) => {
  const { data: count = null } = useQuery(documentCountQuery(site.id))
  const remove = async () => {
    await client.sites.delete(site.id)
    forgetSites([site.id])
    notifications.show({ message: texts.deleted(site.siteName) })
    onDeleted?.()
  }
  return (
    <ConfirmDialog
      title={texts.deleteTitle(site.siteName)}
      action={texts.deleteAction}
      onClose={onClose}
      onConfirm={remove}
    >
      <Text size="sm">{count === null ? texts.deleteWithDocuments : texts.deleteWith(count)}</Text>
      <Text size="sm">{texts.noWayBack}</Text>
    </ConfirmDialog>
  )
}
