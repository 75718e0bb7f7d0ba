/**
 * The state of a required document: a sign and a word.
 */
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClock,
  IconClockExclamation,
  IconHourglass
} from "../shell/icons.ts"
import { coverageTexts, type CoverageState as State } from "../texts/coverage.ts"
import classes from "./Coverage.module.css"

const icons: Record<State, typeof IconCircleCheck> = {
  missing: IconCircleDashed,
  pending: IconHourglass,
  valid: IconCircleCheck,
  expiring: IconClockExclamation,
  expired: IconCircleX,
  not_yet_valid: IconClock
}

export const CoverageState = ({ state }: { readonly state: State }) => {
  const Icon = icons[state]
  return (
    <span className={classes.state} data-state={state}>
      <Icon size={16} stroke={1.75} aria-hidden />
      {coverageTexts.states[state]}
    </span>
  )
}
