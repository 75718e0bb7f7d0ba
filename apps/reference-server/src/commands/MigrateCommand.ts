/** `solar-sites migrate`: applies pending migrations or prints their SQL. */
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { fromEnvironment, settings } from "../configuration/Settings.ts"
import * as Logs from "../Logs.ts"
import { json } from "./Input.ts"
import { print } from "./Output.ts"

const printFlag = Flag.Boolean("print").pipe(
  Flag.withDescription("Print the SQL of the pending migrations and apply nothing"),
  Flag.withDefault(false)
)

export const migrate = Command.make(
  "migrate",
  { print: printFlag, json },
  Effect.fnUntraced(function* ({ json, print: printsOnly }) {
    const chosen = yield* fromEnvironment(settings)
    const { applyMigrations, pendingSql } = yield* Effect.promise(() => import("../database/Database.ts"))
    if (printsOnly) {
      const sql = yield* pendingSql(chosen)
      return yield* print(json, { applied: [], sql }, sql === "" ? "-- The schema is up to date." : sql)
    }
    const applied = yield* applyMigrations(chosen)
    const text = applied.length === 0 ? "The schema is up to date." : `Applied ${applied.join(", ")}.`
    yield* print(json, { applied }, text)
  }, Effect.provide(Logs.layer))
).pipe(Command.withDescription("Apply, or print, the pending migrations of the database"))
