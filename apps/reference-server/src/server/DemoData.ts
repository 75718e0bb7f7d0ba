/**
 * Demo data of an empty server: an organisation, a key and a user. The only place
 * where a key or password is printed without a request of the operator.
 */
import {
  ApiKeys,
  Caller,
  CurrentCaller,
  type OrganisationNotFound,
  Organisations,
  RandomBytes,
  type RepositoryError
} from "@solar-sites/core"
import { Effect, Option, Redacted } from "effect"
import { newPassword, type Password, PasswordRefused } from "../accounts/login/Password.ts"
import type { userAdministration } from "../accounts/people/Users.ts"

const organisationName = "Demo organisation"
const email = "demo@example.com"

interface DemoLogin {
  readonly email: string
  readonly password: Password
}

/** `login` is none without a console. */
export interface DemoAccess {
  readonly key: Redacted.Redacted<string>
  readonly login: Option.Option<DemoLogin>
}

const loginText = (address: string) => (login: DemoLogin) =>
  `
Log in at ${address} as ${login.email} with this password, which is shown this once too:

  ${Redacted.value(login.password)}
`

/** Text for the terminal: how to use key and login. */
export const invitation = (address: string, { key, login }: DemoAccess): string => {
  const site = JSON.stringify({ siteName: "Long Meadow", capacity: 48.6, unit: "kWp" })
  return `
This database was empty. It now has an organisation, "${organisationName}", with an API key that is shown this once:

  ${Redacted.value(key)}

Try it:

  curl -X POST ${address}/api/sites -H 'x-api-key: ${Redacted.value(key)}' -H 'content-type: application/json' -d '${site}'
${Option.match(login, { onNone: () => "", onSome: loginText(address) })}`
}

const generatePassword: Effect.Effect<Password> = Effect.flatMap(RandomBytes, (randomBytes) => {
  const password = newPassword(Buffer.from(randomBytes(15)).toString("base64url"))
  return password instanceof PasswordRefused ? Effect.die(password) : Effect.succeed(password)
})

/**
 * Creates the demo organisation with its key, and a user unless `createUser` is null; none if there is an organisation.
 */
export const createIfEmpty = (
  createUser: Effect.Success<typeof userAdministration>["create"] | null
): Effect.Effect<Option.Option<DemoAccess>, OrganisationNotFound | RepositoryError, Organisations | ApiKeys> =>
  Effect.gen(function* () {
    const organisations = yield* Organisations
    const apiKeys = yield* ApiKeys
    const { data } = yield* organisations.list({ limit: 1 }).pipe(Effect.catchTag("ValidationFailed", Effect.die))
    if (data.length > 0) return Option.none()
    const { id: organisationId } = yield* organisations.create({ name: organisationName })
    const { secret: key } = yield* apiKeys.create({ name: "Demo key" }).pipe(
      Effect.provideService(CurrentCaller, new Caller({ organisationId, userId: null, apiKeyId: null })),
      // A caller without a key and a limit may manage keys, and a new organisation has none.
      Effect.catchIf((error) => error._tag !== "OrganisationNotFound" && error._tag !== "RepositoryError", Effect.die)
    )
    if (createUser === null) return Option.some({ key, login: Option.none() })
    const password = yield* generatePassword
    // Without an organisation there are no users, so the e-mail address is free. The user is an owner.
    yield* createUser({ organisationId, email, name: "Demo user", password }).pipe(
      Effect.catchTag(["EmailTaken", "LastOwner", "OwnerLimited", "PasswordRefused", "PortfoliosNotFound"], Effect.die)
    )
    return Option.some({ key, login: Option.some({ email, password }) })
  })
