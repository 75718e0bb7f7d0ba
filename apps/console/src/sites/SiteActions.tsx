/**
 * The menu of a site in the list.
 */
import { ActionIcon, Menu } from "@mantine/core"
import type { Site } from "@solar-sites/http-node/client"
import { useState } from "react"
import { IconDots, IconPencil, IconTrash } from "../shell/icons.ts"
import { siteTexts as texts } from "../texts/sites.ts"
import { DeleteSiteDialog } from "./DeleteSiteDialog.tsx"
import { SiteFormDialog } from "./SiteFormDialog.tsx"

export const SiteActions = ({ site }: { readonly site: Site }) => {
  const [dialog, setDialog] = useState<"edit" | "delete">()
  const close = () => setDialog(undefined)
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={texts.actions(site.siteName)}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setDialog("edit")}>
            {texts.edit}
          </Menu.Item>
          <Menu.Item
            color="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => setDialog("delete")}
          >
            {texts.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === "edit" && <SiteFormDialog site={site} onClose={close} />}
      {dialog === "delete" && <DeleteSiteDialog site={site} onClose={close} />}
    </>
  )
}
