import { onPglite, shared } from "./Databases.ts"
import { conforms } from "./Suites.ts"

// The statement is that of other maxima, and a Postgres server runs it ten thousand times.
conforms("pglite", shared(onPglite()), false, { without: [/at most 10000 records/] })
