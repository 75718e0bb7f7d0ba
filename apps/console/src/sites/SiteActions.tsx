/**
 * The menu of a site in the list.
 */
import type { Site } from "@solar-sites/http-node/client"
import { useState } from "react"
import { RowMenu } from "../lists/RowMenu.tsx"
import { IconPencil, IconTrash } from "../shell/icons.ts"
import { lazily } from "../shell/lazily.tsx"
import { siteTexts as texts } from "../texts/en/sites.ts"

const SiteFormDialog = lazily(async () => (await import("./SiteFormDialog.tsx")).SiteFormDialog)
const DeleteSiteDialog = lazily(async () => (await import("./DeleteSiteDialog.tsx")).DeleteSiteDialog)

export const SiteActions = ({ site }: { readonly site: Site }) => {
  const [dialog, setDialog] = useState<"edit" | "delete">()
  const close = () => setDialog(undefined)
  return (
    <>
      <RowMenu
        label={texts.actions(site.siteName)}
        items={({ Item }) => (
          <>
            <Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setDialog("edit")}>
              {texts.edit}
            </Item>
            <Item
              color="var(--mantine-color-error)"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => setDialog("delete")}
            >
              {texts.delete}
            </Item>
          </>
        )}
      />
      {dialog === "edit" && <SiteFormDialog site={site} onClose={close} />}
      {dialog === "delete" && <DeleteSiteDialog site={site} onClose={close} />}
    </>
  )
}
