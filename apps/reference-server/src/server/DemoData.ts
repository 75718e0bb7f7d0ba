/**
 * Something to try an empty server with: an organisation and a key. This is the
 * one place where a key goes to the terminal unasked.
 *
 * @since 0.1.0
 */
import {
  ApiKeys,
  Caller,
  CurrentCaller,
  type OrganisationNotFound,
  Organisations,
  type RepositoryError
} from "@solar-sites/core"
import { Effect, Option, Redacted } from "effect"

const organisationName = "Demo organisation"

/**
 * How to use the key, as text for the terminal.
 *
 * @category formatting
 * @since 0.1.0
 */
export const invitation = (address: string, key: Redacted.Redacted<string>): string => {
  const site = JSON.stringify({ siteName: "Long Meadow", capacity: 48.6, unit: "kWp" })
  return `
This database was empty. It now has an organisation, "${organisationName}", with an API key that is shown this once:

  ${Redacted.value(key)}

Try it:

  curl -X POST ${address}/api/sites -H 'x-api-key: ${Redacted.value(key)}' -H 'content-type: application/json' -d '${site}'

All requests and answers are described at ${address}/docs.
`
}

/**
 * The key of a new demo organisation, if there is no organisation yet.
 *
 * @category constructors
 * @since 0.1.0
 */
export const createIfEmpty: Effect.Effect<
  Option.Option<Redacted.Redacted<string>>,
  OrganisationNotFound | RepositoryError,
  Organisations | ApiKeys
> = Effect.gen(function* () {
  const organisations = yield* Organisations
  const apiKeys = yield* ApiKeys
  const { data } = yield* organisations.list({ limit: 1 }).pipe(Effect.catchTag("ValidationFailed", Effect.die))
  if (data.length > 0) return Option.none()
  const { id: organisationId } = yield* organisations.create({ name: organisationName })
  const { secret } = yield* apiKeys.create({ name: "Demo key" }).pipe(
    Effect.provideService(CurrentCaller, new Caller({ organisationId, userId: null, apiKeyId: null })),
    // A caller without a key may manage keys.
    Effect.catchTag("KeysNotManageable", Effect.die)
  )
  return Option.some(secret)
})
