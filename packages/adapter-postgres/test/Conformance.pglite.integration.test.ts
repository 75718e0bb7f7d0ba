import { onPglite, shared } from "./Databases.ts"
import { conforms } from "./Suites.ts"

conforms("pglite", shared(onPglite()), false)
