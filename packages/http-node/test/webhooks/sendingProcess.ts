/** Sends a plain request of Node and a webhook to the address in its argument. */
import { once } from "node:events"
import { get } from "node:http"
import { send } from "./Receiving.ts"

const url = process.argv[2] ?? ""
await once(get(url), "response")
console.log(await send(url))
process.exit()
