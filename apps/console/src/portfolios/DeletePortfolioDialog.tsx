/**
 * Deletes a portfolio; its sites stay.
 */
import { Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { Portfolio } from "@solar-sites/http-node/client"
import { client } from "../api/client.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { refreshSites } from "../sites/siteQueries.ts"
import { portfolioTexts as texts } from "../texts/en/portfolios.ts"
import { refreshPortfolios } from "./portfolioQueries.ts"

interface Props {
  readonly portfolio: Portfolio
  readonly onClose: () => void
  readonly onDeleted?: (() => unknown) | undefined
}

export const DeletePortfolioDialog = ({ onClose, onDeleted, portfolio }: Props) => {
  const remove = async () => {
    await client.portfolios.delete(portfolio.id)
    onDeleted?.()
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
