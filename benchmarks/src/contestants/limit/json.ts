/** The limit with JSON made by Postgres. */
import { jsonStore } from "./jsonStore.ts"
import { serve } from "./server.ts"

serve(jsonStore())
