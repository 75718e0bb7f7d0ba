/** The limit: node:http and postgres.js by hand. */
import { serve } from "./server.ts"
import { openStore } from "./store.ts"

serve(openStore())
