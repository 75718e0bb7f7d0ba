/**
 * Loaded before an example, for those that would go on for as long as they are
 * left alone: one that listens does so on a free port, is asked whether it lives,
 * and ends; one that only waits for timers ends as well.
 */
import { type AddressInfo, Server } from "node:net"

const { listen } = Server.prototype

const addressOf = (server: Server): AddressInfo => {
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The example listens on no port.")
  return address
}

const endWhenAnswered = async (server: Server) => {
  const paths = ["/health/live", "/solar/health/live", "/"]
  for (const path of paths) {
    const { status } = await fetch(`http://127.0.0.1:${addressOf(server).port}${path}`)
    if (status === 200) process.exit(0)
  }
  console.error(`The example serves nothing at ${paths.join(", ")}.`)
  process.exit(1)
}

Server.prototype.listen = function (this: Server, ...given: ReadonlyArray<unknown>) {
  this.once("listening", () => void endWhenAnswered(this))
  const callbacks = given.filter((argument) => typeof argument === "function")
  return Reflect.apply(listen, this, [0, "127.0.0.1", ...callbacks])
}

// Two seconds of nothing but timers and its own output: the example has done what it shows, and what goes on is work in
// the background.
const idle = ["Timeout", "PipeWrap"]
const quietTicks = 20
let quiet = 0
setInterval(() => {
  quiet = process.getActiveResourcesInfo().every((kind) => idle.includes(kind)) ? quiet + 1 : 0
  if (quiet >= quietTicks) process.exit()
}, 100).unref()
