import { onPglite, onPostgres, shared, withoutPostgres } from "./Databases.ts"
import { conforms } from "./Suites.ts"

conforms("postgres", shared(onPostgres()), withoutPostgres)
conforms("postgres with unnamed statements", shared(onPostgres({ pooler: "transaction" })), withoutPostgres)
conforms("pglite", shared(onPglite()), false)
