/** A certified OpenID provider on loopback. It asks for a name and accepts any password. */
import { generateKeyPairSync } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Provider } from "oidc-provider"

export const client = { id: "solar-sites", secret: "a secret for the tests of the console" }

const signingKey = () => ({
  ...generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey.export({ format: "jwk" }),
  use: "sig",
  alg: "RS256"
})

/** The provider has a host name other than the server's, so that it is another site for a browser. */
export const openIdProvider = async (redirectUri: string, domain: string) => {
  const server = createServer().listen(0, "localhost")
  await once(server, "listening")
  // `as`: a listening TCP server has an address with a port.
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] }],
    claims: { email: ["email", "email_verified"], profile: ["name"] },
    cookies: { keys: ["a key for the tests"] },
    jwks: { keys: [signingKey()] },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, name: accountId, email: `${accountId}@${domain}`, email_verified: true })
    })
  })
  server.on("request", provider.callback())
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { issuer, [Symbol.asyncDispose]: close }
}
