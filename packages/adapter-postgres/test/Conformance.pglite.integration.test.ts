import { onPglite, shared } from "./Databases.ts"
import { conforms, furtherKinds, furtherValues, largestMaximum, unlimitedSteps } from "./Suites.ts"

// It has one connection, so that commands at once run one after the other.
conforms("pglite", shared(onPglite()), false, {
  without: [furtherValues, unlimitedSteps, furtherKinds, largestMaximum]
})
