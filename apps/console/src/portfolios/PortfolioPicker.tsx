/**
 * Chooses the portfolios that a user or an API key sees: all that the acting user sees, or some of them.
 */
import { MultiSelect, Radio, Stack } from "@mantine/core"
import { maximumPortfolioLimit } from "@solar-sites/core/model"
import type { ReactNode } from "react"
import { useIsLimited } from "../shell/session.ts"
import { accessTexts as texts } from "../texts/en/access.ts"
import type { PortfolioLimit } from "./portfolioLimit.ts"
import { usePortfolioNames } from "./portfolioQueries.ts"

interface Props {
  /** Null for all. */
  readonly value: PortfolioLimit
  readonly error?: ReactNode
  readonly onChange: (value: PortfolioLimit) => void
}

export const PortfolioPicker = ({ error, onChange, value }: Props) => {
  const { portfolios } = usePortfolioNames()
  const isLimited = useIsLimited()
  if (portfolios.length === 0 && value === null) return null
  const chosen = value !== null
  return (
    <Stack gap="xs">
      <Radio.Group
        label={texts.label}
        value={chosen ? "chosen" : "all"}
        onChange={(kind) => onChange(kind === "all" ? null : [])}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="all" label={isLimited ? texts.allOwn : texts.all} />
          <Radio value="chosen" label={texts.chosen} />
        </Stack>
      </Radio.Group>
      {chosen && (
        <MultiSelect
          label={texts.portfolios}
          description={texts.portfoliosHint}
          searchable
          hidePickedOptions
          limit={100}
          maxValues={maximumPortfolioLimit}
          data={portfolios.map(({ id, name }) => ({ value: id, label: name }))}
          value={[...value]}
          error={error}
          onChange={onChange}
        />
      )}
    </Stack>
  )
}
