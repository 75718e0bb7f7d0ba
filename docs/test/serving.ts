/**
 * Loaded before an example: where it would listen for as long as it is left
 * alone, it listens on a free port instead, is asked whether it lives, and ends.
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
