import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { expect, it, vi } from "vitest"
import { freePort } from "../../../scripts/freePort.ts"
import { anyDatabase } from "./AnyDatabase.ts"
import { clientOf, send } from "./Client.ts"
import { serve, stop, temporaryFolder } from "./SolarSitesProcess.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const page = readFileSync(`${root}docs/alerts.md`, "utf8")
const commands = [...page.matchAll(/```sh\n([^`]+)```/g)].map(([, command = ""]) => command)

/** An incoming webhook of a chat. */
const chat = async () => {
  const texts: Array<string> = []
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request.setEncoding("utf8")) body += chunk
    texts.push(JSON.parse(body).text)
    response.writeHead(200).end("ok")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // It listens on a port.
  const { port } = server.address() as AddressInfo
  return { texts, url: `http://127.0.0.1:${port}`, close: () => void server.close().closeAllConnections() }
}

const until = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 120_000, interval: 100 })

it("the commands of the page about alerts tell a chat what has expired", async ({ onTestFinished }) => {
  const folder = await temporaryFolder()
  const database = await anyDatabase(folder.path)
  const server = await serve({ ...database.variables, WEBHOOK_ALLOW_PRIVATE: "true" })
  const room = await chat()
  const port = await freePort()
  const processes: Array<ChildProcess> = []
  onTestFinished(async () => {
    for (const one of processes) one.kill()
    room.close()
    await stop(server)
    await database.drop()
    await folder[Symbol.asyncDispose]()
  })

  const variables: Record<string, string> = {
    SOLAR: server.address,
    KEY: database.apiKey,
    CHAT_URL: room.url,
    RECEIVER: `http://127.0.0.1:${port}`,
    PATH: `${root}node_modules/node/bin:${process.env["PATH"]}`
  }
  const run = (command: string) => {
    const child = spawn("sh", ["-c", command.replace("PORT=4000", `PORT=${port}`)], {
      cwd: root,
      env: variables,
      stdio: ["ignore", "pipe", "inherit"]
    })
    processes.push(child)
    return child.stdout.setEncoding("utf8")
  }
  const [create = "", start = "", test = ""] = commands

  const { id: webhook, secret } = JSON.parse((await run(create).toArray()).join(""))
  Object.assign(variables, { WEBHOOK: webhook, SECRET: secret })
  await once(run(start.replace(/^/, "exec env ")), "data")
  await run(test).toArray()
  await until(() => expect(room.texts).toEqual(["Solar Sites reaches this chat."]))

  const { call, createSite, issueOne } = clientOf(server.address, database.apiKey)
  const siteId = await createSite()
  const { documentId, uploadUrl } = await issueOne(siteId, { filename: "Lease.txt", mimeType: "text/plain" })
  await send(uploadUrl, new TextEncoder().encode("lease"))
  const change = { status: "uploaded", validUntil: "2020-01-31" }
  expect((await call("PUT", `/api/docs/${documentId}`, change)).status).toBe(200)
  const expired = `Lease.txt has expired: it was valid until 2020-01-31. ${server.address}/sites/${siteId}/coverage`
  await until(() => expect(room.texts).toEqual(["Solar Sites reaches this chat.", expired]))
})
