/**
 * The menu of a portfolio.
 */
import { ActionIcon, Menu } from "@mantine/core"
import type { Portfolio } from "@solar-sites/http-node/client"
import { useState } from "react"
import { IconDots, IconPencil, IconTrash } from "../shell/icons.ts"
import { portfolioTexts as texts } from "../texts/en/portfolios.ts"
import { DeletePortfolioDialog } from "./DeletePortfolioDialog.tsx"
import { EditPortfolioDialog } from "./EditPortfolioDialog.tsx"

export const PortfolioActions = ({ portfolio }: { readonly portfolio: Portfolio }) => {
  const [dialog, setDialog] = useState<"edit" | "delete">()
  const close = () => setDialog(undefined)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={texts.actions(portfolio.name)}>
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
      {dialog === "edit" && <EditPortfolioDialog portfolio={portfolio} onClose={close} />}
      {dialog === "delete" && <DeletePortfolioDialog portfolio={portfolio} onClose={close} />}
    </>
  )
}
