/**
 * Health in the header of a site or portfolio, as a link to its required documents.
 */
import { Link } from "react-router"
import classes from "./Health.module.css"
import type { Health } from "./Health.ts"
import { HealthSignal } from "./HealthSignal.tsx"

interface Props {
  readonly to: string
  /** Null without requirements. */
  readonly health: Health | null | undefined
}

export const HealthLink = ({ health, to }: Props) =>
  health && (
    <Link to={to} className={classes.link}>
      <HealthSignal state={health} />
    </Link>
  )
