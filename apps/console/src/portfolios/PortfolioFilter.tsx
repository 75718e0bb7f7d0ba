/**
 * Filters a list by the portfolio of the site.
 */

import { portfolioTexts as texts } from "../texts/en/portfolios.ts"
import { siteTexts } from "../texts/en/sites.ts"
import { PortfolioSelect } from "./PortfolioSelect.tsx"
import { usePortfolioNames } from "./portfolioQueries.ts"

interface Props {
  /** An id, `all`, or `none` for sites in no portfolio. */
  readonly value: string
  readonly onChange: (changes: { readonly portfolio: string }) => void
  /** Offers `none`. */
  readonly withNone?: boolean
}

export const PortfolioFilter = ({ onChange, value, withNone = false }: Props) => {
  const { portfolios } = usePortfolioNames()
  return (
    <PortfolioSelect
      aria-label={texts.filter}
      placeholder={value === "all" ? texts.any : ""}
      clearable
      first={withNone ? [{ value: "none", label: siteTexts.noPortfolio }] : []}
      portfolios={portfolios}
      value={value === "all" ? null : value}
      onChange={(portfolio) => onChange({ portfolio: portfolio ?? "all" })}
      flex="1 1 150px"
      miw={0}
      maw={240}
    />
  )
}
