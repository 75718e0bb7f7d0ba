/**
 * Chooses the portfolio of new sites, unless their rows name one. A user with a limit needs either.
 */

import { PortfolioSelect } from "../portfolios/PortfolioSelect.tsx"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { importTexts as texts } from "../texts/en/imports.ts"

interface Props {
  readonly value: string | null
  readonly isMissing: boolean
  readonly onChange: (portfolioId: string | null) => void
}

export const PlaceSelect = ({ isMissing, onChange, value }: Props) => {
  const { portfolios } = usePortfolioNames()
  return (
    <PortfolioSelect
      label={texts.place}
      description={texts.placeHint}
      error={isMissing ? texts.placeMissing : null}
      clearable
      portfolios={portfolios}
      value={value}
      onChange={onChange}
    />
  )
}
