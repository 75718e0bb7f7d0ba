/**
 * A receiver of webhooks: verifies every message, and handles every event once.
 */
import { createServer, type IncomingMessage } from "node:http"
import { text } from "node:stream/consumers"
import { Webhook } from "standardwebhooks"
import { tellChat } from "./chat.ts"

const port = Number(process.env["PORT"] ?? 3000)
const webhook = new Webhook(process.env["WEBHOOK_SECRET"] ?? "")
const maximumBytes = 1_048_576

// In your database the id is stored in the transaction that handles the event.
const handled = new Set<string>()

/** Throws unless the message was signed with the secret within the last five minutes. */
const verify = (body: string, { headers }: IncomingMessage): unknown =>
  webhook.verify(body, {
    "webhook-id": String(headers["webhook-id"]),
    "webhook-timestamp": String(headers["webhook-timestamp"]),
    "webhook-signature": String(headers["webhook-signature"])
  })

const statusFor = async (request: IncomingMessage): Promise<number> => {
  if (request.method !== "POST") return 405
  if (!(Number(request.headers["content-length"]) <= maximumBytes)) return 413
  // The signature covers the bytes as they were sent: parse them after the verification.
  const body = await text(request)
  let message: unknown
  try {
    message = verify(body, request)
  } catch {
    return 400
  }
  const id = String(request.headers["webhook-id"])
  if (!handled.has(id)) {
    await tellChat(message)
    handled.add(id)
    console.log(`received ${JSON.stringify(message)}`)
  }
  return 204
}

// Answer within 10 s: put longer work into a queue. Any other status than 2xx is retried.
const server = createServer(async (request, response) => {
  const status = await statusFor(request).catch(() => 500)
  response.writeHead(status).end()
})
server.listen(port, "127.0.0.1", () => console.log(`The receiver is at http://127.0.0.1:${port}`))

const stop = () => server.close()
process.once("SIGTERM", stop).once("SIGINT", stop)
