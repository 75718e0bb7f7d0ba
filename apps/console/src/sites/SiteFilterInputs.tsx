/**
 * Filters of the list of sites beside the search.
 */
import { Select, TagsInput } from "@mantine/core"
import type { Portfolio } from "@solar-sites/http-node/client"
import { healths } from "../health/Health.ts"
import { PortfolioSelect } from "../portfolios/PortfolioSelect.tsx"
import { useIsLimited } from "../shell/session.ts"
import { healthTexts } from "../texts/en/health.ts"
import { siteTexts as texts } from "../texts/en/sites.ts"
import type { SiteFilters } from "./siteFilters.ts"
import { isUnit, units } from "./units.ts"

interface Props {
  readonly filters: SiteFilters
  readonly onChange: (changes: Partial<SiteFilters>) => void
  readonly portfolios: ReadonlyArray<Portfolio>
}

const healthChoices = healths.map((value) => ({ value, label: healthTexts.states[value] }))

export const SiteFilterInputs = ({ filters, onChange, portfolios }: Props) => {
  // A limited user sees no site without a portfolio.
  const isLimited = useIsLimited()
  return (
    <>
      <PortfolioSelect
        aria-label={texts.portfolioFilter}
        allowDeselect={false}
        first={[
          { value: "all", label: texts.allPortfolios },
          ...(isLimited ? [] : [{ value: "none", label: texts.noPortfolio }])
        ]}
        portfolios={portfolios}
        value={filters.portfolio}
        onChange={(portfolio) => onChange({ portfolio: portfolio ?? "all" })}
        flex="1 1 150px"
        miw={0}
        maw={240}
      />
      <TagsInput
        aria-label={texts.tagFilter}
        placeholder={filters.tags.length === 0 ? texts.tagFilter : ""}
        value={[...filters.tags]}
        onChange={(tags) => onChange({ tags })}
        acceptValueOnBlur
        clearable
        flex="1 1 120px"
        miw={0}
        maw={240}
      />
      <Select
        aria-label={texts.unitFilter}
        placeholder={texts.unitFilter}
        data={units}
        value={filters.unit}
        onChange={(unit) => onChange({ unit: isUnit(unit) ? unit : null })}
        clearable
        w={110}
      />
      <Select
        aria-label={healthTexts.filter}
        placeholder={healthTexts.filter}
        data={healthChoices}
        value={filters.health}
        onChange={(chosen) => onChange({ health: healths.find((health) => health === chosen) ?? null })}
        clearable
        flex="1 1 140px"
        miw={0}
        maw={200}
      />
    </>
  )
}
