/** `solar-sites migrate`: applies pending migrations or prints their SQL; with `--citus` it distributes the tables. */
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { fromEnvironment, settings } from "../configuration/Settings.ts"
import { Failure } from "../Failure.ts"
import * as Logs from "../Logs.ts"
import { json, toggle } from "./Input.ts"
import { print } from "./Output.ts"

const printFlag = toggle("print", "Print the SQL of the pending migrations and apply nothing")

const citusFlag = toggle("citus", "Distribute the tables over the Citus cluster of the database, too")

const securityFlag = toggle(
  "row-level-security",
  "With --print: also print the SQL that enables row-level security on all tables"
)

const appliedText = (applied: ReadonlyArray<string>): string =>
  applied.length === 0 ? "The schema is up to date." : `Applied ${applied.join(", ")}.`

export const migrate = Command.make(
  "migrate",
  { print: printFlag, citus: citusFlag, rowLevelSecurity: securityFlag, json },
  Effect.fnUntraced(function* ({ citus, json, print: printsOnly, rowLevelSecurity }) {
    const chosen = yield* fromEnvironment(settings)
    const { applyAndDistribute, applyMigrations, distributionSql, pendingSql, securitySql } = yield* Effect.promise(
      () => import("../database/Database.ts")
    )
    if (citus && Option.isNone(chosen.database.url)) {
      return yield* new Failure({
        message: "Nothing was distributed: the embedded database is no Citus cluster; set DATABASE_URL."
      })
    }
    if (rowLevelSecurity && !printsOnly) {
      return yield* new Failure({ message: "Row-level security is not applied, only printed: add --print." })
    }
    if (printsOnly) {
      const pending = yield* pendingSql(chosen)
      const sql = `${pending}${citus ? distributionSql(chosen) : ""}${rowLevelSecurity ? securitySql(chosen) : ""}`
      return yield* print(json, { applied: [], sql }, sql === "" ? "-- The schema is up to date." : sql)
    }
    if (!citus) {
      const applied = yield* applyMigrations(chosen)
      return yield* print(json, { applied }, appliedText(applied))
    }
    const { applied, distributed } = yield* applyAndDistribute(chosen)
    const text =
      distributed.length === 0 ? "All tables are distributed already." : `Distributed ${distributed.join(", ")}.`
    yield* print(json, { applied, distributed }, `${appliedText(applied)}\n${text}`)
  }, Effect.provide(Logs.layer))
).pipe(Command.withDescription("Apply, or print, the pending migrations of the database"))
