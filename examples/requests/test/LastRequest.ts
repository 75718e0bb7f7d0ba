/**
 * A request in progress while the server is stopped.
 */
import { request } from "node:http"
import { createConnection } from "node:net"

/** Begins a POST. The server has read its head and waits for the body that `end` sends; `end` gives the status. */
export const beginRequest = (address: string, apiKey: string) =>
  new Promise<{ readonly end: (body: object) => Promise<number> }>((resolve, reject) => {
    const headers = { "x-api-key": apiKey, "content-type": "application/json", expect: "100-continue" }
    const sending = request(address, { method: "POST", headers })
    const status = new Promise<number>((answered, failed) => {
      sending.on("error", failed)
      sending.on("response", (response) => {
        response.resume().on("end", () => answered(response.statusCode ?? 0))
      })
    })
    sending.once("error", reject).flushHeaders()
    sending.once("continue", () =>
      resolve({
        end: (body) => {
          sending.end(JSON.stringify(body))
          return status
        }
      })
    )
  })

const isRefused = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1")
    socket.once("error", () => resolve(true))
    socket.once("connect", () => {
      socket.destroy()
      resolve(false)
    })
  })

/** Resolves when the port has no listener. */
export const refused = async (address: string): Promise<void> => {
  const port = Number(new URL(address).port)
  while (!(await isRefused(port))) await new Promise((resolve) => setTimeout(resolve, 20))
}
