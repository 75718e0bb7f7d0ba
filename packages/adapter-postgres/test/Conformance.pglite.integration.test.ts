import { onPglite, shared } from "./Databases.ts"
import { conforms, furtherSteps } from "./Suites.ts"

// The largest maximum has the statement of other maxima, and a Postgres server runs it ten thousand times.
conforms("pglite", shared(onPglite()), false, { without: [/at most 10000 records/, furtherSteps] })
