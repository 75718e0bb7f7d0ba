/**
 * Loaded into a server by `--import`: writes memory and event-loop delay to the file `VITALS_FILE`,
 * one line of JSON per second. The heap is measured after a full collection, every tenth second.
 */
import { appendFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/**
 * Values of one second. `heapMegabytes` is from the last full collection, `delayP99Overall` since
 * the start. Delays are in milliseconds.
 */
export interface Vitals {
  readonly memoryMegabytes: number
  readonly heapMegabytes: number
  readonly delayMedian: number
  readonly delayP99: number
  readonly delayP99Overall: number
}

const { VITALS_FILE: file } = process.env
// The histogram measures the time between two of its ticks.
const resolution = 1

if (file !== undefined) {
  const second = monitorEventLoopDelay({ resolution })
  const overall = monitorEventLoopDelay({ resolution })
  const milliseconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution)
  second.enable()
  overall.enable()
  setFlagsFromString("--expose-gc")
  const collect: () => void = runInNewContext("gc")
  const secondsPerCollection = 10
  let seconds = 0
  let keptBytes = process.memoryUsage().heapUsed
  setInterval(() => {
    const { rss } = process.memoryUsage()
    const vitals: Vitals = {
      memoryMegabytes: rss / 1e6,
      heapMegabytes: keptBytes / 1e6,
      delayMedian: milliseconds(second.percentile(50)),
      delayP99: milliseconds(second.percentile(99)),
      delayP99Overall: milliseconds(overall.percentile(99))
    }
    second.reset()
    seconds += 1
    if (seconds % secondsPerCollection === 0) {
      collect()
      const { arrayBuffers, heapUsed } = process.memoryUsage()
      keptBytes = heapUsed + arrayBuffers
    }
    appendFileSync(file, `${JSON.stringify(vitals)}\n`)
  }, 1_000).unref()
}
