/**
 * Filters of the list of sites beside the search.
 */
import { memo } from "react"
import { healths } from "../health/Health.ts"
import { PortfolioFilter } from "../portfolios/PortfolioFilter.tsx"
import { Select } from "../shell/Select.tsx"
import { useIsLimited } from "../shell/session.ts"
import { TagsInput } from "../shell/TagsInput.tsx"
import { healthTexts } from "../texts/en/health.ts"
import { siteTexts as texts } from "../texts/en/sites.ts"
import type { SiteFilters } from "./siteFilters.ts"
import { isUnit, units } from "./units.ts"

interface Props {
  readonly filters: SiteFilters
  readonly onChange: (changes: Partial<SiteFilters>) => void
}

const healthChoices = healths.map((value) => ({ value, label: healthTexts.states[value] }))

// The list is rendered again for each answer to it.
export const SiteFilterInputs = memo(({ filters, onChange }: Props) => {
  // A limited user sees no site without a portfolio.
  const isLimited = useIsLimited()
  return (
    <>
      <PortfolioFilter withNone={!isLimited} value={filters.portfolio} onChange={onChange} />
      <TagsInput
        aria-label={texts.tagFilter}
        placeholder={filters.tags.length === 0 ? texts.anyTag : ""}
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
        placeholder={texts.anyUnit}
        data={units}
        value={filters.unit}
        onChange={(unit) => onChange({ unit: isUnit(unit) ? unit : null })}
        clearable
        w={110}
      />
      <Select
        aria-label={healthTexts.column}
        placeholder={healthTexts.any}
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
})
