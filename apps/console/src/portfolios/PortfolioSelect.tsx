/**
 * Chooses a portfolio, found by typing a part of its name.
 */
import type { SelectProps } from "@mantine/core"
import type { Portfolio } from "@solar-sites/http-node/client"
import { Select } from "../shell/Select.tsx"
import { portfolioTexts } from "../texts/en/portfolios.ts"

interface Props extends Omit<SelectProps, "data"> {
  readonly portfolios: ReadonlyArray<Portfolio>
  /** Choices above the portfolios. */
  readonly first?: ReadonlyArray<{ readonly value: string; readonly label: string }>
}

export const PortfolioSelect = ({ first = [], portfolios, ...props }: Props) => (
  <Select
    searchable
    limit={100}
    nothingFoundMessage={portfolioTexts.noneFound}
    comboboxProps={{ shadow: "md" }}
    {...props}
    data={[...first, ...portfolios.map(({ id, name }) => ({ value: id, label: name }))]}
  />
)
