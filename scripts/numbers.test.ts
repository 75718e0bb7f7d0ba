/**
 * Numbers in sentences that people read. A number that may change stands in a policy, and sentences take it from
 * there. `stated` lists the policies, `written` the numbers that a text states itself, each with its reason.
 */
import { expect, it } from "vitest"
import { readRepository } from "./repository.ts"
import { isTypeScript, textsOf } from "./sources.ts"

const stated: Readonly<Record<string, ReadonlyArray<string>>> = {
  "packages/core/src/caller/IdempotencyPolicy.ts": ["idempotencyKeyHours"],
  "packages/core/src/documents/UploadLimit.ts": ["maximumUploadFiles"],
  "packages/core/src/documents/UploadPolicy.ts": ["UploadPolicy", "downloadAddressLife", "uploadAddressLife"],
  "packages/core/src/input/SearchLimit.ts": ["maximumSearchCharacters"],
  "packages/core/src/requirements/RequirementPolicy.ts": ["expiringDays", "maximumRequirements"],
  "packages/core/src/webhooks/WebhookPolicy.ts": [
    "keptWebhookDeliveries",
    "maximumWebhooks",
    "webhookDisabledAfterDays",
    "webhookRetries",
    "webhookSecretOverlapHours",
    "webhookTimeoutSeconds"
  ],
  "packages/http-node/src/contract/BodyLimits.ts": ["maximumBodyBytes", "maximumBulkBytes"],
  "apps/reference-server/src/accounts/AccountPolicy.ts": [
    "invitationDays",
    "linkHours",
    "maximumApiKeyDays",
    "minimumPasswordCharacters",
    "sessionHours"
  ],
  "apps/reference-server/src/import/TableLimits.ts": ["maximumCell", "maximumColumns", "maximumHeader", "maximumRows"]
}

const duration = "is a duration in code"
const beside = "stands beside its check"
const example = "is an example of the form"

const written: ReadonlyArray<readonly [path: string, number: string, reason: string]> = [
  ["apps/console/src/texts/de/server.ts", "90 days", example],
  ["apps/console/src/texts/en/overview.ts", "100,000 documents", "the answer of the server says how many it measured"],
  ["apps/console/src/texts/en/portfolios.ts", "two portfolios", "is no limit"],
  ["apps/console/src/texts/en/search.ts", "ten seconds", "is a promise of the console alone: undoMillis"],
  [
    "apps/console/src/texts/en/webhooks.ts",
    "five seconds",
    "is a promise of the specification, which no setting changes"
  ],
  ["apps/reference-server/src/accounts/invitations/Invitations.ts", "15 seconds", duration],
  ["apps/reference-server/src/accounts/identity/OpenIdConnect.ts", "255 characters", beside],
  ["apps/reference-server/src/accounts/identity/ProviderLogins.ts", "10 minutes", duration],
  ["apps/reference-server/src/accounts/sessions/SessionStatements.ts", "7 days", duration],
  ["apps/reference-server/src/accounts/sessions/Sessions.ts", "10 minutes", duration],
  ["apps/reference-server/src/commands/Input.ts", "200 characters", "repeats the schema Name, which judges it"],
  ["apps/reference-server/src/console/imports/SiteImportStore.ts", "30 days", duration],
  ["apps/reference-server/src/console/imports/SiteImportStore.ts", "30 seconds", duration],
  ["apps/reference-server/src/digest/DigestWorker.ts", "2 minutes", duration],
  ["apps/reference-server/src/digest/DigestWorker.ts", "30 seconds", duration],
  ["apps/reference-server/src/mail/Mailer.ts", "15 seconds", duration],
  ["apps/reference-server/src/mail/Mailer.ts", "2 seconds", duration],
  ["apps/reference-server/src/mail/Mailer.ts", "3 minutes", duration],
  ["packages/adapter-filesystem/src/serving/StorageServer.ts", "5 seconds", duration],
  ["packages/adapter-postgres/src/PgSettings.ts", "63 bytes", "is a limit of Postgres"],
  ["packages/adapter-postgres/src/client/PgOptionCheck.ts", "63 bytes", "is a limit of Postgres"],
  ["packages/adapter-postgres/src/client/PgOptions.ts", "5 seconds", duration],
  ["packages/core/src/api-keys/ApiKey.ts", "36500 days", beside],
  ["packages/core/src/documents/FilePolicy.ts", "255 bytes", beside],
  ["packages/core/src/input/OptionCheck.ts", "5 seconds", example],
  ["packages/core/src/promises/Input.ts", "90 days", example],
  ["packages/core/src/sites/Site.ts", "2048 characters", beside],
  ["packages/core/src/webhooks/Webhook.ts", "2048 characters", beside],
  ["packages/http-node/src/webhooks/Receiver.ts", "5 seconds", duration]
]

const units =
  "byte|character|code|column|day|document|event|file|hour|item|key|MiB|minute|portfolio|requirement|row|second|session|site|user|webhook"
const numbered = new RegExp(String.raw`\b(?:\d[\d,]*|two|five|ten) (?:${units})s\b|(?<=from \d+ to )[1-9][\d,]+`, "g")

const files = readRepository()

it("takes the numbers that people read from policies", () => {
  const found = [...files]
    .filter(([path]) => isTypeScript(path) && /^(?:packages|apps)\/(?!testing)[^/]+\/src\/(?!migrations)/.test(path))
    .flatMap(([path, text]) =>
      textsOf(path, text).flatMap((one) => Array.from(one.matchAll(numbered), ([number]) => `${path}: ${number}`))
    )
  const known = written.map(([path, number]) => `${path}: ${number}`)
  expect([...new Set(found)].toSorted()).toEqual(known.toSorted())
})

it.each(Object.entries(stated))("states them in %s", (path, names) => {
  const text = files.get(path) ?? ""
  for (const name of names) expect(text).toMatch(new RegExp(`^export const ${name} = `, "m"))
})

it("agrees with the checks of the database", () => {
  const policy = files.get("packages/core/src/requirements/RequirementPolicy.ts") ?? ""
  const [, minimum, maximum] = /expiringDays = \{ minimum: (\d+), maximum: (\d+)/.exec(policy) ?? []
  const migration = files.get("packages/adapter-postgres/src/migrations/0008_requirements.ts")
  expect(migration).toContain(`check (expiring_within_days between ${minimum} and ${maximum})`)
})
