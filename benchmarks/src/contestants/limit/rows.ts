/** The limit: node:http and postgres.js by hand. */
import { rowStore } from "./rowStore.ts"
import { serve } from "./server.ts"

serve(rowStore())
