/**
 * Runs a case about time in a worker thread, which cannot change the time zone of its process.
 */
import { parentPort } from "node:worker_threads"
import { MemoryAdapters, runConformance, siteRepositoryConformance } from "@solar-sites/testing"

const runs: Array<() => Promise<void>> = []
runConformance(
  {
    describe: (_, body) => body(),
    it: (name, body) => {
      if (name === "keeps instants to the millisecond (in Europe/Berlin)") runs.push(body)
    }
  },
  siteRepositoryConformance,
  { name: "memory", layer: MemoryAdapters.layer }
)
const [run] = runs
parentPort?.postMessage(await run?.().then(() => "succeeded", String))
