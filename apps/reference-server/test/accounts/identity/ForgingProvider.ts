/** An OpenID provider on loopback that answers what a test wants, also what no provider should. */
import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose"

export const clientId = "solar-sites"
export const clientSecret = "secret-of-the-client-with-32-bytes"
export const publicUrl = "https://solar.example.com"

type Claims = Readonly<Record<string, unknown>>

type Signer = (claims: Claims) => Promise<string>

/** Answer of the token endpoint to one code. */
export interface Grant {
  /** Replace those of a valid token; `undefined` leaves one out. */
  readonly claims?: Claims
  readonly sign?: Signer
  /** The user info; without it the endpoint answers 404. */
  readonly info?: Claims
  readonly status?: number
}

/** What the authorization request has asked for. */
export interface Asked {
  readonly state: string
  readonly nonce: string
  readonly challenge: string
}

export const askedIn = (address: URL): Asked => {
  const part = (name: string) => address.searchParams.get(name) ?? ""
  return { state: part("state"), nonce: part("nonce"), challenge: part("code_challenge") }
}

const unsigned: Signer = async (claims) => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
  return `${encode({ alg: "none" })}.${encode(claims)}.`
}

const signedWith =
  (key: CryptoKey | Uint8Array, alg: string): Signer =>
  (claims) =>
    // `as`: forged claims may have any type.
    new SignJWT(claims as JWTPayload).setProtectedHeader({ alg, kid: "key" }).sign(key)

const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url")

/** `address` is that of the client. */
export const forgingProvider = async (address = publicUrl) => {
  const pair = await generateKeyPair("ES256")
  const other = await generateKeyPair("ES256")
  const publicKey = await exportJWK(pair.publicKey)
  const grants = new Map<string, Grant & { readonly asked: Asked }>()
  const infos = new Map<string, Claims>()
  const paths: Array<string> = []
  let delay: Promise<void> | undefined
  let metadata: Readonly<Record<string, unknown>> = {}

  const signers = {
    valid: signedWith(pair.privateKey, "ES256"),
    unsigned,
    otherKey: signedWith(other.privateKey, "ES256"),
    clientSecret: signedWith(Buffer.from(clientSecret), "HS256"),
    publicKey: signedWith(Buffer.from(JSON.stringify(publicKey)), "HS256")
  }

  const token = async (request: IncomingMessage) => {
    const form = new URLSearchParams(await text(request))
    const grant = grants.get(form.get("code") ?? "")
    const isProven =
      grant !== undefined &&
      challengeOf(form.get("code_verifier") ?? "") === grant.asked.challenge &&
      form.get("redirect_uri") === `${address}/console/oidc/callback`
    if (!isProven) return { status: 400, body: { error: "invalid_grant" } }
    const now = Math.floor(Date.now() / 1_000)
    const claims = {
      iss: issuer,
      aud: clientId,
      sub: "ada",
      iat: now,
      exp: now + 300,
      nonce: grant.asked.nonce,
      ...grant.claims
    }
    const access = randomBytes(8).toString("hex")
    if (grant.info !== undefined) infos.set(`Bearer ${access}`, grant.info)
    const { sign = signers.valid, status = 200 } = grant
    return { status, body: { access_token: access, token_type: "Bearer", id_token: await sign(claims) } }
  }

  const answer = async (request: IncomingMessage): Promise<{ readonly status: number; readonly body: unknown }> => {
    switch (request.url) {
      case "/.well-known/openid-configuration":
        return { status: 200, body: { ...discovery, ...metadata } }
      case "/jwks":
        return { status: 200, body: { keys: [{ ...publicKey, kid: "key", alg: "ES256" }] } }
      case "/token":
        return token(request)
      case "/info": {
        const info = infos.get(request.headers.authorization ?? "")
        return { status: info === undefined ? 404 : 200, body: info ?? {} }
      }
      default:
        return { status: 404, body: {} }
    }
  }

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    paths.push(request.url ?? "")
    await delay
    const { body, status } = await answer(request)
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  }

  const server = createServer((request, response) => void serve(request, response)).listen(0, "127.0.0.1")
  await once(server, "listening")
  // `as`: a listening TCP server has an address with a port.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const discovery = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/info`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256", "HS256", "none"]
  }

  return {
    issuer,
    signers,
    /** Paths of the requests so far. */
    paths,
    /** The code for one exchange or more. */
    grant: (asked: Asked, grant: Grant = {}): string => {
      const code = randomBytes(8).toString("hex")
      grants.set(code, { ...grant, asked })
      return code
    },
    /** Replaces members of the configuration. */
    announce: (members: Readonly<Record<string, unknown>>) => {
      metadata = members
    },
    /** Delays all answers from now on. */
    delayUntil: (moment: Promise<void>) => {
      delay = moment
    },
    /** Listens again at the same address. */
    open: async () => {
      server.listen(Number(new URL(issuer).port), "127.0.0.1")
      await once(server, "listening")
    },
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    }
  }
}

export type ForgingProvider = Awaited<ReturnType<typeof forgingProvider>>
