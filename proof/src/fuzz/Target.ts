/**
 * A running service that requests are sent to: the fetch handler over memory, or a server process on
 * Postgres, with files in a folder.
 */
import { PortfolioId } from "@solar-sites/core"
import { operator } from "../../../apps/reference-server/test/Operator.ts"
import { stop, type Variables } from "../../../apps/reference-server/test/SolarSitesProcess.ts"
import { makeSetup, type UploadUrl, webBinding } from "../../../packages/http-node/test/Setup.ts"
import { deploy } from "../Deployment.ts"
import type { Answer, Sent } from "./Judge.ts"

export interface Target {
  /** A new organisation; returns its key. */
  readonly join: () => Promise<string>
  /** A further key of the organisation of a key, limited to these portfolios. */
  readonly limit: (key: string, portfolioIds: ReadonlyArray<string>) => Promise<string>
  readonly send: (
    sent: Pick<Sent, "method" | "path"> & Partial<Pick<Sent, "query" | "headers" | "body">>
  ) => Promise<Answer>
  readonly upload: (address: UploadUrl, text: string) => Promise<number>
  readonly close: () => Promise<void>
}

const json = { "content-type": "application/json" }

/** Sends a request that must succeed; returns its body. */
export const asking = (target: Pick<Target, "send">, key: string) => async (line: string, body?: unknown) => {
  const [method = "", path = ""] = line.split(" ")
  const headers = { ...(body === undefined ? {} : json), "x-api-key": key }
  const answer = await target.send({
    method,
    path,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body)
  })
  if (answer.status >= 300) throw new Error(`Setup: ${line} is answered with ${answer.status} ${answer.text}`)
  return answer.text === "" ? null : JSON.parse(answer.text)
}

export type Ask = ReturnType<typeof asking>

const base = "http://localhost"

/** A request of the platform; `body` of a GET is left out. */
const requestOf = (
  base: string,
  { body, headers = {}, method, path, query = "" }: Parameters<Target["send"]>[0]
): Request =>
  new Request(`${base}${path}${query === "" ? "" : `?${query}`}`, {
    method,
    headers,
    redirect: "manual",
    ...(body === undefined ? {} : { body })
  })

export const memoryTarget = async (): Promise<Target> => {
  const setup = await makeSetup()
  const { close, send } = webBinding(setup.ports, { rateLimitPerMinute: 0 })
  const members = new Map<string, Awaited<ReturnType<typeof setup.join>>>()
  return {
    join: async () => {
      const member = await setup.join("Fuzzed")
      members.set(member.key, member)
      return member.key
    },
    limit: (key, portfolioIds) => {
      const member = members.get(key)
      if (member === undefined) throw new Error("no member has the key")
      return setup.newKey(member, { portfolioIds: portfolioIds.map((id) => PortfolioId.make(id)) })
    },
    send: async (sent) => {
      const response = await send(requestOf(base, sent))
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
    upload: setup.put,
    close: async () => {
      await close()
      await setup.close()
    }
  }
}

export type ServerTarget = Awaited<ReturnType<typeof serverTarget>>

/** With its address, its process, its database and its operator. */
export const serverTarget = async (more: Variables = {}) => {
  const deployment = await deploy(more)
  const server = await deployment.start()
  const administration = operator(deployment.variables)
  const send: Target["send"] = async (sent) => {
    const response = await fetch(requestOf(server.address, sent))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const target: Target = {
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
  return { ...target, address: server.address, pid: server.pid, databaseUrl: deployment.databaseUrl, administration }
}
