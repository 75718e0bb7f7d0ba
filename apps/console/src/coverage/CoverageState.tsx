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

export const StateIcon = ({ size, state }: { readonly size: number; readonly state: State }) => {
  const Icon = icons[state]
  return <Icon size={size} stroke={1.75} aria-hidden />
}

export const CoverageState = ({ state }: { readonly state: State }) => (
  <span className={classes.state} data-state={state}>
    <StateIcon state={state} size={16} />
    {coverageTexts.states[state]}
  </span>
)
