/** New passwords and e-mail addresses by links. No session is needed: the token is the permission. */
import type { HostEndpoint, HostEndpointRequest } from "@solar-sites/http-node"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import type { LoginSettings } from "../../configuration/LoginSettings.ts"
import type { Access } from "../../console/Access.ts"
import { openBody } from "../../console/Body.ts"
import { passwordLoginOff } from "../../console/ConsoleProblems.ts"
import * as Letters from "../../mail/Letters.ts"
import { Mailer } from "../../mail/Mailer.ts"
import { Email } from "../people/User.ts"
import { limitLinks, linkRefusals, refuseFullQueue } from "./LinkProblems.ts"
import { newPasswordRefusals } from "./LoginProblems.ts"
import { NewPassword } from "./Password.ts"
import { PasswordResets } from "./PasswordResets.ts"
import { UserLinks } from "./UserLinks.ts"

const readEmail = openBody(Schema.Struct({ email: Email }))
const readPassword = openBody(Schema.Struct({ token: Schema.String, password: NewPassword }))
const readToken = openBody(Schema.Struct({ token: Schema.String }))

export const linkEndpoints = (
  { requireOrigin }: Access,
  { passwords }: LoginSettings
): Effect.Effect<ReadonlyArray<HostEndpoint>, never, PasswordResets | UserLinks | Mailer> =>
  Effect.gen(function* () {
    const resets = yield* PasswordResets
    const links = yield* UserLinks
    const mailer = yield* Mailer

    // The same for known and unknown addresses, and above the limits.
    const request = Effect.fnUntraced(function* (incoming: HostEndpointRequest) {
      yield* requireOrigin(incoming.request)
      const { email } = yield* readEmail(incoming)
      if (passwords) {
        yield* Effect.catchTag(resets.request(email, incoming.clientAddress), "MailQueueFull", refuseFullQueue)
      }
      return HttpServerResponse.empty({ status: 202 })
    })

    const complete = Effect.fnUntraced(function* (incoming: HostEndpointRequest) {
      yield* requireOrigin(incoming.request)
      if (!passwords) return yield* passwordLoginOff
      const setting = Effect.flatMap(readPassword(incoming), ({ password, token }) =>
        Effect.catchTags(links.setPassword(token, password), {
          ...newPasswordRefusals,
          LinkInvalid: linkRefusals.LinkInvalid
        })
      )
      const { email, name } = yield* limitLinks(incoming, setting)
      yield* mailer.send(Effect.succeed({ to: email, letter: Letters.passwordChanged(name) }))
      return HttpServerResponse.jsonUnsafe({ email })
    })

    const confirmEmail = Effect.fnUntraced(function* (incoming: HostEndpointRequest) {
      yield* requireOrigin(incoming.request)
      const confirming = Effect.flatMap(readToken(incoming), ({ token }) =>
        Effect.catchTags(links.confirmEmail(token), linkRefusals)
      )
      const { emailBefore, user } = yield* limitLinks(incoming, confirming)
      yield* mailer.send(Effect.succeed({ to: emailBefore, letter: Letters.emailChanged(user.name) }))
      return HttpServerResponse.jsonUnsafe({ email: user.email })
    })

    return [
      { method: "POST", path: "/console/password-resets", serve: request },
      { method: "POST", path: "/console/password-resets/complete", serve: complete },
      { method: "POST", path: "/console/email-confirmations", serve: confirmEmail }
    ]
  })
