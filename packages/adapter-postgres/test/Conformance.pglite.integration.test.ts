import { onPglite, shared } from "./Databases.ts"
import { conforms, furtherSteps, largestMaximum } from "./Suites.ts"

conforms("pglite", shared(onPglite()), false, { without: [largestMaximum, furtherSteps] })
