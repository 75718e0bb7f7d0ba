/**
 * A server process on Postgres, with files in a folder.
 */

import { operator } from "../../../apps/reference-server/test/Operator.ts"
import { stop, type Variables } from "../../../apps/reference-server/test/SolarSitesProcess.ts"
import { deploy } from "../Deployment.ts"
import { requestOf } from "./MemoryTarget.ts"
import { asking, type Target } from "./Target.ts"

export interface ServerTarget extends Target {
  readonly address: string
  readonly pid: number
  /** Postgres of the server. */
  readonly databaseUrl: string
  readonly administration: ReturnType<typeof operator>
}

export const serverTarget = async (more: Variables = {}): Promise<ServerTarget> => {
  const deployment = await deploy(more)
  const { databaseUrl, variables } = deployment
  const server = await deployment.start()
  const administration = operator(variables)
  const send: Target["send"] = async (sent) => {
    const response = await fetch(requestOf(server.address, sent))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return {
    address: server.address,
    pid: server.pid,
    databaseUrl,
    administration,
    join: async () => (await administration.createKey(await administration.createOrganisation())).key,
    limit: async (key, portfolioIds) => {
      const { organisation } = await asking({ send }, key)("GET /api/me")
      return (await administration.createKey(organisation.id, portfolioIds)).key
    },
    send,
    upload: async ({ headers, url }, text) => (await fetch(url, { method: "PUT", headers, body: text })).status,
    close: async () => {
      await administration.close()
      const { code, stderr } = await stop(server)
      await deployment.close()
      if (code !== 0) throw new Error(`The server ended with ${code}: ${stderr.slice(-2_000)}`)
    }
  }
}
