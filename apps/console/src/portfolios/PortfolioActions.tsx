/**
 * The menu of a portfolio.
 */
import { ActionIcon, Menu, Text, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { Portfolio } from "@solar-sites/http-node/client"
import { useState } from "react"
import { client } from "../api/client.ts"
import { fieldErrorsOf, isProblem } from "../api/failures.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { IconDots, IconPencil, IconTrash } from "../shell/icons.ts"
import { refreshSites } from "../sites/siteQueries.ts"
import { asSentence } from "../texts/formats.ts"
import { portfolioTexts as texts } from "../texts/portfolios.ts"
import { refreshPortfolios } from "./portfolioQueries.ts"

interface DialogProps {
  readonly portfolio: Portfolio
  readonly onClose: () => void
}

const RenameDialog = ({ onClose, portfolio }: DialogProps) => {
  const [base, setBase] = useState(portfolio)
  const [name, setName] = useState(portfolio.name)
  const [fault, setFault] = useState<string>()
  const rename = async () => {
    setFault(undefined)
    try {
      const renamed = await client.portfolios.update(base.id, { name }, { expectedVersion: base.version })
      notifications.show({ message: texts.renamed(renamed.name) })
      await refreshPortfolios()
      return true
    } catch (error) {
      const { name: message } = fieldErrorsOf(error)
      if (isProblem(error, "precondition_failed")) {
        const theirs = await client.portfolios.get(base.id)
        setBase(theirs)
        setFault(texts.conflict(theirs.name))
      } else if (message !== undefined) setFault(asSentence(message))
      else throw error
      return false
    }
  }
  return (
    <ConfirmDialog
      title={texts.renameTitle(portfolio.name)}
      action={texts.renameAction}
      color="petrol"
      onClose={onClose}
      onConfirm={rename}
    >
      <TextInput
        label={texts.name}
        required
        data-autofocus
        value={name}
        error={fault}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </ConfirmDialog>
  )
}

const DeleteDialog = ({ onClose, portfolio }: DialogProps) => {
  const remove = async () => {
    await client.portfolios.delete(portfolio.id)
    notifications.show({ message: texts.deleted(portfolio.name) })
    // Its sites are in no portfolio any more.
    void refreshSites()
    await refreshPortfolios()
  }
  return (
    <ConfirmDialog
      title={texts.deleteTitle(portfolio.name)}
      action={texts.deleteAction}
      onClose={onClose}
      onConfirm={remove}
    >
      <Text size="sm">{texts.deleteHint(portfolio.siteCount)}</Text>
    </ConfirmDialog>
  )
}

export const PortfolioActions = ({ portfolio }: { readonly portfolio: Portfolio }) => {
  const [dialog, setDialog] = useState<"rename" | "delete">()
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
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setDialog("rename")}>
            {texts.rename}
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
      {dialog === "rename" && <RenameDialog portfolio={portfolio} onClose={close} />}
      {dialog === "delete" && <DeleteDialog portfolio={portfolio} onClose={close} />}
    </>
  )
}
