/**
 * What can be done with a site, and its menu in the list.
 */
import type { Site } from "@solar-sites/http-node/client"
import type { Action } from "../lists/Action.ts"
import { RowMenu } from "../lists/RowMenu.tsx"
import { IconPencil, IconTrash } from "../shell/icons.ts"
import { lazily } from "../shell/lazily.tsx"
import { siteTexts as texts } from "../texts/en/sites.ts"

const SiteFormDialog = lazily(async () => (await import("./SiteFormDialog.tsx")).SiteFormDialog)
const DeleteSiteDialog = lazily(async () => (await import("./DeleteSiteDialog.tsx")).DeleteSiteDialog)

/** The labels are those of the page. */
export const siteActions = (
  site: Site,
  { delete: remove, edit }: { readonly edit: string; readonly delete: string },
  onDeleted?: () => unknown
): ReadonlyArray<Action> => [
  { label: edit, Icon: IconPencil, dialog: (close) => <SiteFormDialog site={site} onClose={close} /> },
  {
    label: remove,
    Icon: IconTrash,
    isDangerous: true,
    dialog: (close) => <DeleteSiteDialog site={site} onClose={close} onDeleted={onDeleted} />
  }
]

export const SiteActions = ({ site }: { readonly site: Site }) => (
  <RowMenu label={texts.actions(site.siteName)} actions={siteActions(site, texts)} />
)
