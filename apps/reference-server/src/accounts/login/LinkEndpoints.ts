/** Serves new passwords and e-mail addresses by links. */
import { type HostEndpoint, hostGroup, reply } from "@solar-sites/http-node"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Access } from "../../console/Access.ts"
import { LinksApi, PasswordResetsApi } from "../../console/contract/LinksApi.ts"
import { withLink, withoutSession } from "../../console/WithSession.ts"
import * as Letters from "../../mail/Letters.ts"
import { Mailer } from "../../mail/Mailer.ts"
import { PasswordResets } from "./PasswordResets.ts"
import { UserLinks } from "./UserLinks.ts"

export const linkEndpoints = (
  access: Access
): Effect.Effect<ReadonlyArray<HostEndpoint>, never, PasswordResets | UserLinks | Mailer> =>
  Effect.gen(function* () {
    const resets = yield* PasswordResets
    const links = yield* UserLinks
    const mailer = yield* Mailer

    const requests = hostGroup(PasswordResetsApi, withoutSession(access), {
      request: Effect.fnUntraced(function* ({ incoming: { clientAddress }, payload: { email } }) {
        if (access.passwords) yield* resets.request(email, clientAddress)
        return HttpServerResponse.empty({ status: 202 })
      })
    })

    const uses = hostGroup(LinksApi, withLink(access), {
      complete: Effect.fnUntraced(function* ({ payload: { password, token } }) {
        const { email, name } = yield* links.setPassword(token, password)
        yield* mailer.send(Effect.succeed({ to: email, letter: Letters.passwordChanged(name) }))
        return reply({ email })
      }),
      confirmEmail: Effect.fnUntraced(function* ({ payload: { token } }) {
        const { emailBefore, user } = yield* links.confirmEmail(token)
        yield* mailer.send(Effect.succeed({ to: emailBefore, letter: Letters.emailChanged(user.name) }))
        return reply({ email: user.email })
      })
    })

    return [...requests, ...uses]
  })
