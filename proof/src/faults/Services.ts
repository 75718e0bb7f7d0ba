/**
 * The dependencies of a server, real ones on loopback, each behind a network with faults.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3"
import {
  clientId,
  clientSecret,
  forgingProvider
} from "../../../apps/reference-server/test/accounts/identity/ForgingProvider.ts"
import { mailServer } from "../../../apps/reference-server/test/mail/MailServer.ts"
import { startEmbedded } from "../../../packages/adapter-postgres/test/EmbeddedPostgres.ts"
import { freeze, processesOf } from "../../../packages/adapter-postgres/test/faults/OwnServer.ts"
import { startRedis } from "../../../packages/adapter-redis/test/RedisServer.ts"
import { findServer as findS3, type S3Server } from "../../../packages/adapter-s3/test/CephRgw.ts"
import { type Network, openNetwork } from "../Network.ts"

export const serviceNames = ["postgres", "redis", "s3", "smtp", "openid", "webhooks"] as const

export type ServiceName = (typeof serviceNames)[number]

/** What signals do to a process. */
interface Program {
  readonly freeze: () => Promise<void>
  readonly thaw: () => Promise<void>
  readonly kill: () => Promise<void>
  /** Resolves when it answers again. */
  readonly start: () => Promise<void>
}

export const publicUrl = "https://solar.example.com"

/** A receiver of webhooks that remembers the names of the subjects. */
const startReceiver = async () => {
  const names = new Set<string>()
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request.setEncoding("utf8")) body += chunk
    names.add(JSON.parse(body).data.subject.name)
    response.writeHead(204).end()
  })
  // A cut request ends its handler; the next attempt brings the event again.
  server.on("clientError", (_, socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo // It listens on a port.
  return {
    names,
    port,
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

const createBucket = async ({ accessKeyId, endpoint, region, secretAccessKey }: S3Server): Promise<string> => {
  const credentials = { accessKeyId, secretAccessKey }
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: "faults" }))
  client.destroy()
  return "faults"
}

const startPostgres = async () => {
  const server = await startEmbedded()
  let thaw = () => {}
  const program: Program = {
    freeze: async () => {
      thaw = await freeze(server)
    },
    thaw: async () => thaw(),
    kill: async () => {
      const processes = await processesOf(server)
      const halted = server.halt()
      for (const pid of processes) process.kill(pid, "SIGKILL")
      await halted
    },
    start: server.start
  }
  return { server, program }
}

const startS3 = async () => {
  const found = await findS3()
  if (found?.gateway === undefined)
    throw new Error("The proof of faults needs the Ceph object gateway; see docs/testing.md.")
  const { freeze, kill, start, thaw } = found.gateway
  const program: Program = { freeze: async () => freeze(), thaw: async () => thaw(), kill, start }
  return { ...found, program, bucket: await createBucket(found.server) }
}

export type Services = Awaited<ReturnType<typeof startServices>>

const portOf = (url: string): number => Number(new URL(url).port)

export const startServices = async () => {
  const [postgres, redis, s3, mails, provider, receiver, bystander] = await Promise.all([
    startPostgres(),
    startRedis(),
    startS3(),
    mailServer(),
    forgingProvider(),
    startReceiver(),
    startReceiver()
  ])
  const ports: Readonly<Record<ServiceName, number>> = {
    postgres: portOf(postgres.server.url),
    redis: portOf(redis.url),
    s3: portOf(s3.server.endpoint),
    smtp: mails.port,
    openid: portOf(provider.issuer),
    webhooks: receiver.port
  }
  const opened = await Promise.all(serviceNames.map(async (name) => [name, await openNetwork(ports[name])] as const))
  // `as`: there is one network per name.
  const networks = Object.fromEntries(opened) as Record<ServiceName, Network>
  const at = (name: ServiceName) => `127.0.0.1:${networks[name].port}`

  const issuer = `http://${at("openid")}`
  provider.announce({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/info`,
    jwks_uri: `${issuer}/jwks`
  })
  const redisProgram: Program = {
    freeze: async () => redis.freeze(),
    thaw: async () => redis.thaw(),
    kill: redis.kill,
    start: redis.start
  }
  return {
    networks,
    programs: { postgres: postgres.program, redis: redisProgram, s3: s3.program },
    ...{ mails, provider },
    /** Behind the network `webhooks`. */
    receiver,
    /** Receiver of another organisation, without a network. */
    bystander,
    /** Port of the store itself, past its network. */
    storePort: ports.s3,
    /** Postgres past its network. */
    databaseUrl: postgres.server.url,
    /** Settings of a server that reaches everything through the networks. */
    variables: {
      DATABASE_URL: Object.assign(new URL(postgres.server.url), { host: at("postgres") }).href,
      REDIS_URL: `redis://${at("redis")}`,
      S3_BUCKET: s3.bucket,
      S3_ENDPOINT: `http://${at("s3")}`,
      S3_REGION: s3.server.region,
      AWS_ACCESS_KEY_ID: s3.server.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.server.secretAccessKey,
      SMTP_URL: `smtp://${at("smtp")}`,
      MAIL_FROM: "solar@example.com",
      PUBLIC_URL: publicUrl,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret
    },
    stop: async () => {
      await Promise.all(opened.map(([, network]) => network.close()))
      receiver.close()
      bystander.close()
      await Promise.all([postgres.server.stop(), redis.stop(), s3.stop(), mails.close(), provider.close()])
    }
  }
}
