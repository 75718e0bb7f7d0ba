/**
 * Fuzzes all operations from the OpenAPI document that the server serves.
 */
import * as fc from "fast-check"
import { check, type Proof, type ProofContext } from "../check.ts"
import { contractOf } from "./Contract.ts"
import { runLimited } from "./Limits.ts"
import { faultsOfRaw, rawRequest } from "./RawRequests.ts"
import { requestOfAny } from "./Requests.ts"
import { runRequests, type Tally } from "./Run.ts"
import { memoryTarget, serverTarget, type Target } from "./Target.ts"

// Memory grows with the number of organisations.
const runsPerMemory = 200

interface Kind {
  readonly make: () => Promise<Target>
  readonly run: typeof runRequests
}

const kinds = {
  memory: { make: memoryTarget, run: runRequests },
  postgres: { make: serverTarget, run: runRequests },
  limits: { make: memoryTarget, run: runLimited },
  "limits-postgres": { make: serverTarget, run: runLimited }
} satisfies Record<string, Kind>

const contractFrom = async ({ send }: Target) =>
  contractOf(JSON.parse((await send({ method: "GET", path: "/openapi.json" })).text))

/** Requests of one run. */
const requestsPerRun = 40

/** `only` chooses operations by their lines. */
export const property = async (
  makeTarget: () => Promise<Target>,
  tally: Tally,
  {
    only = /./,
    run = runRequests,
    runsPerTarget = runsPerMemory
  }: { readonly only?: RegExp; readonly run?: Kind["run"]; readonly runsPerTarget?: number } = {}
) => {
  let target = await makeTarget()
  const contract = await contractFrom(target)
  const operations = contract.operations.filter(({ line }) => only.test(line))
  let runs = 0
  return {
    property: fc.asyncProperty(
      fc.array(requestOfAny(operations), { minLength: 1, maxLength: requestsPerRun, size: "max" }),
      async (requests) => {
        if (++runs % runsPerTarget === 0) {
          await target.close()
          target = await makeTarget()
        }
        await run(target, contract, tally, requests)
      }
    ),
    close: () => target.close()
  }
}

/** Oddities of HTTP itself, sent to a server process. */
const runOnSockets = async (context: ProofContext): Promise<string> => {
  const target = await serverTarget()
  try {
    const key = await target.join()
    const property = fc.asyncProperty(rawRequest, async (request) => {
      const faults = await faultsOfRaw(target.address, key, request)
      if (faults.length > 0) throw new Error(faults.join("\n"))
    })
    const count = await check(property, context, "fuzz --on sockets", context.long ? 5_000 : 300)
    return `${count} connections`
  } finally {
    await target.close()
  }
}

const totalOf = (counts: ReadonlyMap<number, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

const runOn = async (name: string, context: ProofContext): Promise<string> => {
  if (name === "sockets") return runOnSockets(context)
  const tally: Tally = new Map()
  const { make, run } = kinds[name as keyof typeof kinds] // The command line names one of them.
  const isMemory = make === memoryTarget
  const fuzzing = await property(make, tally, isMemory ? { run } : { run, runsPerTarget: Number.POSITIVE_INFINITY })
  try {
    await check(fuzzing.property, context, `fuzz --on ${name}`, context.long ? 50_000 : 120)
  } finally {
    await fuzzing.close()
  }
  for (const [line, counts] of [...tally].sort()) {
    context.log(
      `${line}: ${[...counts]
        .sort()
        .map(([status, count]) => `${status} × ${count}`)
        .join(", ")}`
    )
  }
  const all = [...tally.values()].reduce((sum, counts) => sum + totalOf(counts), 0)
  return `${all} requests of ${tally.size - 1} operations on ${name}`
}

export const fuzz: Proof = {
  name: "fuzz",
  title: "requests from the OpenAPI document, judged by an independent validator",
  targets: [...Object.keys(kinds), "sockets"],
  run: async (context) => {
    const figures: Array<string> = []
    for (const name of context.on ?? ["memory", "limits"]) figures.push(await runOn(name, context))
    return figures.join(", ")
  }
}
