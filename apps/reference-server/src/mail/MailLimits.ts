/** Limits of the mails that requests cause, per hour; shared by servers with a common Redis. */
import { hash } from "node:crypto"
import { type OrganisationId, RateLimiter } from "@solar-sites/core"
import { Context, Data, Duration, Effect, Layer, Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import { loginOf } from "../accounts/people/User.ts"

const window = Duration.hours(1)
const resetsPerNetwork = { limit: 60, window }
const resetsPerAccount = { limit: 20, window }
const resetsPerAccountAndNetwork = { limit: 5, window }
const invitationsPerOrganisation = { limit: 200, window }
const perAddress = { limit: 5, window }

/**
 * The /24 of an IPv4 address, the /48 of an IPv6 one: larger than the network that logins count by,
 * since each request can cause a mail to another person.
 */
export const networkOf = (clientAddress: string | undefined): string => {
  const [text = ""] = (clientAddress ?? "").split("/")
  return Result.match(NetAddress.ipFromString(text), {
    // Clients without a known address count as one network.
    onFailure: () => "unknown",
    onSuccess: (given) => {
      const address = NetAddress.toCanonical(given)
      return IpNetwork.format(IpNetwork.fromAddressUnsafe(address, NetAddress.isIpv4Address(address) ? 24 : 48))
    }
  })
}

// Hashed, so that no e-mail address is stored in Redis.
const nameOf = (email: string): string => hash("sha256", loginOf(email))

/** Too many mails to the address, or of the organisation, in an hour. */
export class MailsLimited extends Data.TaggedError("MailsLimited")<{ readonly retryAfter: Duration.Duration }> {}

/** Time until the next mail is allowed; null when this one is. */
type Wait = Effect.Effect<Duration.Duration | null>

export class MailLimits extends Context.Service<
  MailLimits,
  {
    /** Takes one reset of a password, for an existing or unknown address. */
    readonly takeReset: (email: string, clientAddress: string | undefined) => Wait
    /** Takes one mail to an address that a user of the organisation names. */
    readonly takeNamed: (organisationId: OrganisationId, email: string) => Effect.Effect<void, MailsLimited>
  }
>()("@solar-sites/reference-server/MailLimits") {
  /** For servers with rate limits switched off. */
  static readonly layerUnlimited: Layer.Layer<MailLimits> = Layer.succeed(MailLimits, {
    takeReset: () => Effect.succeed(null),
    takeNamed: () => Effect.void
  })

  static readonly layer: Layer.Layer<MailLimits, never, RateLimiter> = Layer.effect(
    MailLimits,
    Effect.map(RateLimiter, ({ take }) => {
      const waitOf = (...args: Parameters<typeof take>): Wait =>
        Effect.map(take(...args), ({ allowed, retryAfter }) => (allowed ? null : retryAfter))

      return MailLimits.of({
        takeReset: Effect.fnUntraced(function* (email, clientAddress) {
          const [account, network] = [nameOf(email), networkOf(clientAddress)]
          const wait = yield* waitOf(`reset-network:${network}`, resetsPerNetwork)
          if (wait !== null) return wait
          return yield* waitOf(`reset:${account}:${network}`, resetsPerAccountAndNetwork, {
            bucket: `reset:${account}`,
            quota: resetsPerAccount
          })
        }),
        takeNamed: Effect.fnUntraced(function* (organisationId, email) {
          const retryAfter = yield* waitOf(`mail:${organisationId}:${nameOf(email)}`, perAddress, {
            bucket: `mail:${organisationId}`,
            quota: invitationsPerOrganisation
          })
          if (retryAfter !== null) return yield* new MailsLimited({ retryAfter })
        })
      })
    })
  )
}
