/** Accounts of several organisations, with their records as they are stored. */
import { PgClient } from "@solar-sites/adapter-postgres"
import type { Find, OrganisationId } from "@solar-sites/core"
import { Effect, type Layer } from "effect"
import { type Command, makeCommands } from "../../src/accounts/Commands.ts"
import * as KeyOwners from "../../src/accounts/people/KeyOwners.ts"
import type { Variables } from "../SolarSitesProcess.ts"
import { type AccountsSetup, accountsSetup, decide as deciding } from "./AccountsSetup.ts"

const tables = [
  ...["console_user", "console_session", "console_ended_session"],
  ...["console_second_factor", "console_link", "event"]
]

export const aDigest = (): string => `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll("-", "")

export const foreignSetup = (variables: Variables) => {
  const setup = accountsSetup(variables)

  const run = <A, E>(
    effect: Effect.Effect<A, E, Layer.Success<typeof KeyOwners.layer> | AccountServices>
  ): Promise<A> => setup.run(Effect.provide(effect, KeyOwners.layer))

  /** A command in an organisation. It can have ids of another one. */
  const decide = <A, Refusal>(command: Command<A, Refusal>): Promise<A> => run(deciding(command))

  const load = (organisationId: OrganisationId, finds: ReadonlyArray<Find>) =>
    run(Effect.flatMap(makeCommands, (commands) => commands.load("test", organisationId, finds)))

  /** `SCHEMA` in the text is the own one. */
  const sql = (text: string, ...parameters: ReadonlyArray<string>) =>
    run(
      PgClient.use((client) =>
        client.run({ operation: "test", text: text.replaceAll("SCHEMA", client.schema), parameters })
      )
    )

  /** Each with the transaction that has locked it. */
  const recordsOf = async (organisationId: OrganisationId): Promise<ReadonlyArray<unknown>> => {
    const records: Array<unknown> = []
    for (const table of tables) {
      const text = `select coalesce(json_agg(json_build_array(to_json(t), t.xmax::text) order by t::text), '[]')::text
        from SCHEMA.${table} t where t.organisation_id = $1::uuid`
      records.push(await sql(text, organisationId))
    }
    return records
  }

  return { ...setup, run, decide, load, sql, recordsOf }
}

export type ForeignSetup = ReturnType<typeof foreignSetup>

type AccountServices = Parameters<AccountsSetup["run"]>[0] extends Effect.Effect<unknown, unknown, infer R> ? R : never
