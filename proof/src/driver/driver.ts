/**
 * Random pipelines of many organisations through the pool and the driver, with faults.
 */
import { PgClient } from "@solar-sites/adapter-postgres"
import * as fc from "fast-check"
import { startEmbedded } from "../../../packages/adapter-postgres/test/EmbeddedPostgres.ts"
import { check } from "../check.ts"
import type { Proof } from "../Proof.ts"
import { openBench } from "./Execution.ts"
import { programs } from "./Program.ts"

const short = { runs: 8, actions: 250, statementsPerFault: 9 }
const long = { runs: 1_000, actions: 2_000, statementsPerFault: 100 }

export const driver: Proof = {
  name: "driver",
  title: "Each statement gets its own answer and takes effect once, also when connections fail.",
  run: async (context) => {
    const { actions, runs, statementsPerFault } = context.long ? long : short
    const server = await startEmbedded()
    try {
      const bench = await openBench(server.url, PgClient.layer)
      const { totals } = bench
      const ran = fc.asyncProperty(programs(actions, statementsPerFault), async (program) => {
        await bench.run(program)
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
