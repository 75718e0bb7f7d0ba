/**
 * Health of a site in its header, as a link to the required documents.
 */
import { useQuery } from "@tanstack/react-query"
import { Link } from "react-router"
import { siteCoverageQuery } from "../coverage/coverageQueries.ts"
import classes from "../health/Health.module.css"
import { healthOfSite } from "../health/Health.ts"
import { HealthSignal } from "../health/HealthSignal.tsx"

export const SiteHealth = ({ siteId }: { readonly siteId: string }) => {
  const { data: items = [] } = useQuery(siteCoverageQuery(siteId))
  const health = healthOfSite({ items })
  if (health === null) return null
  return (
    <Link to={`/sites/${siteId}/coverage`} className={classes.link}>
      <HealthSignal state={health} />
    </Link>
  )
}
