/**
 * Random pipelines of many organisations through the pool and the driver, with faults.
 */
import { PgClient } from "@solar-sites/adapter-postgres"
import * as fc from "fast-check"
import { startEmbedded } from "../../../packages/adapter-postgres/test/EmbeddedPostgres.ts"
import { check, type Proof } from "../check.ts"
import { type Bench, openBench } from "./Execution.ts"
import { type Program, programs } from "./Program.ts"

/** `atOnce` programs run side by side, since most of the time of one is waiting for faults to end. */
const short = { runs: 2, atOnce: 4, actions: 250, statementsPerFault: 9, timeoutMillis: 1_000 }
// The longer timeout keeps statements from ending in the queue while all programs are busy.
const long = { runs: 180, atOnce: 12, actions: 2_000, statementsPerFault: 100, timeoutMillis: 3_000 }

/** Runs up to so many programs side by side. All end before the property fails with the first failure. */
export const programsAtOnce = (
  bench: Bench,
  program: fc.Arbitrary<Program>,
  atOnce: number,
  onHeld: () => void = () => {}
) =>
  fc.asyncProperty(fc.array(program, { minLength: 1, maxLength: atOnce, size: "max" }), async (all) => {
    const failed = (await Promise.allSettled(all.map(bench.run))).find(({ status }) => status === "rejected")
    if (failed?.status === "rejected") throw failed.reason
    onHeld()
  })

export const driver: Proof = {
  name: "driver",
  title: "Each statement gets its own answer and takes effect once, also when connections fail.",
  run: async (context) => {
    const { actions, atOnce, runs, statementsPerFault, timeoutMillis } = context.long ? long : short
    const server = await startEmbedded()
    try {
      const bench = await openBench(server.url, PgClient.layer, timeoutMillis)
      const { totals } = bench
      const ran = programsAtOnce(bench, programs(actions, statementsPerFault), atOnce, () => {
        if (context.long) context.log(JSON.stringify(totals))
      })
      const count = await check(ran, context, `driver${context.long ? " --long" : ""}`, runs)
      await bench.close()
      const { answered, refused, statements, unknown } = totals
      return `${statements} statements in ${count} programs: ${answered} answered, ${refused} refused, ${unknown} unknown`
    } finally {
      await server.stop()
    }
  }
}
