/** The second factor of the own account. Secret and recovery codes are only in the response that makes them. */
import type { CurrentCaller, RepositoryError } from "@solar-sites/core"
import type { HostEndpoint, HostEndpointRequest, Refusal } from "@solar-sites/http-node"
import { DateTime, Effect, Option, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Access } from "../../console/Access.ts"
import { asUser } from "../../console/AsUser.ts"
import { body } from "../../console/Body.ts"
import { sessionMissing } from "../../console/ConsoleProblems.ts"
import * as Letters from "../../mail/Letters.ts"
import { Mailer } from "../../mail/Mailer.ts"
import { type AccountRefusal, accountRefusals, secondFactorDemanded } from "../login/LoginProblems.ts"
import { PasswordCheck } from "../login/PasswordCheck.ts"
import type { Session } from "../sessions/Sessions.ts"
import * as SessionToken from "../sessions/SessionToken.ts"
import type { FactorOwner } from "./FactorRules.ts"
import { SecondFactors } from "./SecondFactors.ts"

const path = "/console/account/second-factor"

const password = Schema.optionalKey(Schema.NullOr(Schema.String))
const readPassword = body(Schema.Struct({ password }))
const readCode = body(Schema.Struct({ code: Schema.String }))
const readBoth = body(Schema.Struct({ password, code: Schema.String }))

/** A request of a user about the own account. `keptSession` is the digest of its session. */
interface AccountRequest {
  readonly incoming: HostEndpointRequest
  readonly session: Session
  readonly owner: FactorOwner
  readonly keptSession: string
}

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal | AccountRefusal, CurrentCaller>

export const secondFactorEndpoints = ({
  admitToSetUp,
  cookie
}: Access): Effect.Effect<ReadonlyArray<HostEndpoint>, never, SecondFactors | PasswordCheck | Mailer> =>
  Effect.gen(function* () {
    const factors = yield* SecondFactors
    const passwords = yield* PasswordCheck
    const mailer = yield* Mailer

    const tell = ({ user: { email, name } }: Session, isEnabled: boolean) =>
      mailer.send(Effect.succeed({ to: email, letter: Letters.secondFactorChanged(name, isEnabled) }))

    const forUser = (serve: (request: AccountRequest) => Answer) =>
      asUser({ admit: admitToSetUp })((incoming, session) => {
        const token = cookie.read(incoming.request.headers)
        const owner = { id: session.user.id, organisationId: session.organisation.id }
        const keptSession = token === undefined ? "" : SessionToken.digest(token)
        return Effect.catchTags(serve({ incoming, session, owner, keptSession }), accountRefusals)
      })

    const stateOf = (owner: FactorOwner) =>
      Effect.flatMap(factors.find(owner), (found) =>
        // The user was deleted after the look-up of its session.
        Option.isSome(found) ? Effect.succeed(found.value) : Effect.fail(sessionMissing)
      )

    const documentOf = (owner: FactorOwner): Effect.Effect<object, Refusal | RepositoryError> =>
      Effect.map(stateOf(owner), ({ enabledAt, hasPassword, isRequired, recoveryCodesLeft }) => ({
        enabled: enabledAt !== null,
        enabledAt: enabledAt === null ? null : DateTime.formatIso(DateTime.makeUnsafe(enabledAt)),
        recoveryCodesLeft,
        required: isRequired,
        hasPassword
      }))

    /** Users who log in at a provider have no password. */
    const confirm = Effect.fnUntraced(function* (
      { incoming: { clientAddress }, owner, session }: AccountRequest,
      given: string | null | undefined
    ) {
      const { hasPassword } = yield* stateOf(owner)
      if (hasPassword) yield* passwords.verify({ email: session.user.email, password: given ?? "", clientAddress })
    })

    const show = ({ owner }: AccountRequest) =>
      Effect.map(documentOf(owner), (document) => HttpServerResponse.jsonUnsafe(document))

    const begin = Effect.fnUntraced(function* (request: AccountRequest) {
      const { password } = yield* readPassword(request.incoming)
      yield* confirm(request, password)
      return HttpServerResponse.jsonUnsafe(yield* factors.begin(request.owner))
    })

    const enable = Effect.fnUntraced(function* ({ incoming, keptSession, owner, session }: AccountRequest) {
      const { code } = yield* readCode(incoming)
      const { clientAddress } = incoming
      const recoveryCodes = yield* factors.enable(owner, { code, clientAddress }, keptSession)
      yield* tell(session, true)
      return HttpServerResponse.jsonUnsafe({ ...(yield* documentOf(owner)), recoveryCodes })
    })

    const renew = Effect.fnUntraced(function* ({ incoming, owner }: AccountRequest) {
      const { code } = yield* readCode(incoming)
      const { clientAddress } = incoming
      return HttpServerResponse.jsonUnsafe({
        recoveryCodes: yield* factors.renewRecoveryCodes(owner, { code, clientAddress })
      })
    })

    const disable = Effect.fnUntraced(function* (request: AccountRequest) {
      const { incoming, keptSession, owner, session } = request
      const { code, password } = yield* readBoth(incoming)
      if ((yield* stateOf(owner)).isRequired) return yield* secondFactorDemanded
      yield* confirm(request, password)
      yield* factors.verify(owner, { code, clientAddress: incoming.clientAddress })
      yield* factors.disable(owner, keptSession)
      yield* tell(session, false)
      return HttpServerResponse.empty({ status: 204 })
    })

    return [
      { method: "GET", path, serve: forUser(show) },
      { method: "POST", path, serve: forUser(begin) },
      { method: "PUT", path, serve: forUser(enable) },
      { method: "DELETE", path, serve: forUser(disable) },
      { method: "POST", path: `${path}/recovery-codes`, serve: forUser(renew) }
    ]
  })
