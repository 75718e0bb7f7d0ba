/**
 * Health of a portfolio in its header: the worst of its sites, as a link to the coverage.
 */
import { useQuery } from "@tanstack/react-query"
import { Link } from "react-router"
import { coverageSummaryQuery } from "../coverage/coverageQueries.ts"
import classes from "../health/Health.module.css"
import { healthOfSummary } from "../health/Health.ts"
import { HealthSignal } from "../health/HealthSignal.tsx"

export const PortfolioHealth = ({ portfolioId }: { readonly portfolioId: string }) => {
  const { data: summary } = useQuery(coverageSummaryQuery({ portfolioId }))
  const health = summary === undefined ? null : healthOfSummary(summary)
  if (health === null) return null
  return (
    <Link to={`/coverage?portfolio=${portfolioId}`} className={classes.link}>
      <HealthSignal state={health} />
    </Link>
  )
}
