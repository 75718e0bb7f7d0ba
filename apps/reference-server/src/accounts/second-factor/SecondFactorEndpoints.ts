/** Serves the second factor of the own account. */
import { instantText } from "@solar-sites/core"
import { type HostEndpointRequest, hostGroup, reply, replyNothing } from "@solar-sites/http-node"
import { Effect } from "effect"
import type { Access } from "../../console/Access.ts"
import { problems } from "../../console/ConsoleProblems.ts"
import { SecondFactorApi } from "../../console/contract/AccountApi.ts"
import { currentUser, withSession } from "../../console/WithSession.ts"
import * as Letters from "../../mail/Letters.ts"
import { Mailer } from "../../mail/Mailer.ts"
import { makeCommands } from "../Commands.ts"
import { passwordCheck } from "../login/PasswordCheck.ts"
import type { UserIds } from "../people/User.ts"
import * as SessionToken from "../sessions/SessionToken.ts"
import { disableFactor } from "./FactorRules.ts"
import { SecondFactors } from "./SecondFactors.ts"

export const secondFactorEndpoints = (access: Access) =>
  Effect.gen(function* () {
    const factors = yield* SecondFactors
    const { decide } = yield* makeCommands
    const verifyPassword = yield* passwordCheck
    const mailer = yield* Mailer

    const tell = (isEnabled: boolean) =>
      Effect.flatMap(currentUser, ({ email, name }) =>
        mailer.send(Effect.succeed({ to: email, letter: Letters.secondFactorChanged(name, isEnabled) }))
      )

    /** Digest of the session of the request, which a change does not end. */
    const keptSession = ({ request }: HostEndpointRequest) => {
      const token = access.cookie.read(request.headers)
      return token === undefined ? "" : SessionToken.digest(token)
    }

    /** Refuses where the user was deleted after the look-up of its session. */
    const stateOf = (owner: UserIds) =>
      Effect.flatMap(factors.find(owner), (found) =>
        found === null ? problems.session_missing : Effect.succeed(found)
      )

    const shown = (owner: UserIds) =>
      Effect.map(stateOf(owner), ({ enabledAt, hasPassword, isRequired, recoveryCodesLeft }) => ({
        enabled: enabledAt !== null,
        enabledAt: enabledAt === null ? null : instantText(enabledAt),
        recoveryCodesLeft,
        required: isRequired,
        hasPassword
      }))

    /** Users who log in at a provider have no password. */
    const confirm = Effect.fnUntraced(function* ({ clientAddress }: HostEndpointRequest, given: string | null = "") {
      const user = yield* currentUser
      const { hasPassword } = yield* stateOf(user)
      if (hasPassword) yield* verifyPassword({ email: user.email, password: given ?? "", clientAddress })
    })

    return hostGroup(SecondFactorApi, withSession({ ...access, admit: access.admitToSetUp }), {
      show: () => Effect.map(Effect.flatMap(currentUser, shown), (state) => reply(state)),
      begin: Effect.fnUntraced(function* ({ incoming, payload: { password } }) {
        yield* confirm(incoming, password)
        return reply(yield* factors.begin(yield* currentUser))
      }),
      enable: Effect.fnUntraced(function* ({ incoming, payload: { code } }) {
        const owner = yield* currentUser
        const { clientAddress } = incoming
        const recoveryCodes = yield* factors.enable(owner, { code, clientAddress }, keptSession(incoming))
        yield* tell(true)
        return reply({ ...(yield* shown(owner)), recoveryCodes })
      }),
      renew: Effect.fnUntraced(function* ({ incoming: { clientAddress }, payload: { code } }) {
        const recoveryCodes = yield* factors.renewRecoveryCodes(yield* currentUser, { code, clientAddress })
        return reply({ recoveryCodes })
      }),
      disable: Effect.fnUntraced(function* ({ incoming, payload: { code, password } }) {
        const owner = yield* currentUser
        if ((yield* stateOf(owner)).isRequired) return yield* problems.second_factor_demanded
        yield* confirm(incoming, password)
        yield* factors.verify(owner, { code, clientAddress: incoming.clientAddress })
        yield* decide(disableFactor(owner, keptSession(incoming)))
        yield* tell(false)
        return replyNothing
      })
    })
  })
