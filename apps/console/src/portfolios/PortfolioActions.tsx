/**
 * What can be done with a portfolio, and its menu in the list.
 */
import type { Portfolio } from "@solar-sites/http-node/client"
import type { Action } from "../lists/Action.ts"
import { RowMenu } from "../lists/RowMenu.tsx"
import { IconPencil, IconTrash } from "../shell/icons.ts"
import { portfolioTexts as texts } from "../texts/en/portfolios.ts"
import { DeletePortfolioDialog } from "./DeletePortfolioDialog.tsx"
import { EditPortfolioDialog } from "./EditPortfolioDialog.tsx"

/** The labels are those of the page. */
export const portfolioActions = (
  portfolio: Portfolio,
  { delete: remove, edit }: { readonly edit: string; readonly delete: string },
  onDeleted?: () => unknown
): ReadonlyArray<Action> => [
  { label: edit, Icon: IconPencil, dialog: (close) => <EditPortfolioDialog portfolio={portfolio} onClose={close} /> },
  {
    label: remove,
    Icon: IconTrash,
    isDangerous: true,
    dialog: (close) => <DeletePortfolioDialog portfolio={portfolio} onClose={close} onDeleted={onDeleted} />
  }
]

export const PortfolioActions = ({ portfolio }: { readonly portfolio: Portfolio }) => (
  <RowMenu label={texts.actions(portfolio.name)} actions={portfolioActions(portfolio, texts)} />
)
