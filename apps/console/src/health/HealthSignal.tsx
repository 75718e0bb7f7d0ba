/**
 * The one sign of health: of sites, portfolios, documents and required documents.
 */
import type { ReactNode } from "react"
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClock,
  IconClockExclamation,
  IconHourglass
} from "../shell/icons.ts"
import { type HealthState, healthTexts } from "../texts/en/health.ts"
import classes from "./Health.module.css"

const icons: Record<HealthState, typeof IconCircleCheck> = {
  missing: IconCircleDashed,
  pending: IconHourglass,
  valid: IconCircleCheck,
  expiring: IconClockExclamation,
  expired: IconCircleX,
  not_yet_valid: IconClock,
  complete: IconCircleCheck
}

interface Props {
  readonly state: HealthState
  /** In pixels. */
  readonly size?: number
  /** In place of the word, such as a number beside a heading that has it. */
  readonly children?: ReactNode
}

export const HealthSignal = ({ children, size = 16, state }: Props) => {
  const Icon = icons[state]
  return (
    <span className={classes.signal} data-state={state}>
      <Icon size={size} stroke={1.75} aria-hidden className={classes.icon} />
      {children ?? healthTexts.states[state]}
    </span>
  )
}
