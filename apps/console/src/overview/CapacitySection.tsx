/**
 * The capacity of the largest portfolios.
 */
import { Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { OrganisationOverview } from "../api/Console.ts"
import { CapacityBars } from "../portfolios/CapacityChart.tsx"
import type { Bar } from "../portfolios/capacityBars.ts"
import { NotRead } from "../shell/NotRead.tsx"
import { Section } from "../shell/Section.tsx"
import { SmallLink } from "../shell/SmallLink.tsx"
import { overviewTexts as texts } from "../texts/en/overview.ts"
import { overviewQuery } from "./overviewQueries.ts"

const barsOf = (overview: OrganisationOverview): ReadonlyArray<Bar> => {
  const { capacityKw, otherPortfolios, portfolios, withoutPortfolio } = overview
  const largestKw = portfolios.reduce((total, portfolio) => total + portfolio.capacityKw, 0)
  const rest = [
    {
      id: "others",
      name: texts.otherPortfolios(otherPortfolios),
      capacityKw: Math.max(0, capacityKw - largestKw - withoutPortfolio.capacityKw),
      shown: otherPortfolios > 0
    },
    {
      id: "outside",
      name: texts.withoutPortfolio,
      capacityKw: withoutPortfolio.capacityKw,
      shown: withoutPortfolio.siteCount > 0
    }
  ]
  return [
    ...portfolios.map(({ capacityKw, id, name }) => ({ id, name, capacityKw, rest: false })),
    ...rest.filter(({ shown }) => shown).map(({ capacityKw, id, name }) => ({ id, name, capacityKw, rest: true }))
  ]
}

const Content = () => {
  const { data, error, refetch } = useQuery(overviewQuery)
  if (data === undefined) return <NotRead height={180} error={error} onRetry={refetch} />
  if (data.siteCount === 0) {
    return (
      <Text size="sm" c="dimmed">
        {texts.noCapacity}
      </Text>
    )
  }
  return <CapacityBars bars={barsOf(data)} />
}

export const CapacitySection = () => (
  <Section title={texts.capacityByPortfolio} actions={<SmallLink to="/portfolios">{texts.portfolios}</SmallLink>}>
    <Content />
  </Section>
)
