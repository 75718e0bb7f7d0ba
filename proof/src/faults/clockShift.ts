/**
 * Loaded into a server by `--import`: SIGUSR2 sets the wall clock forward or back by the
 * milliseconds in the file `CLOCK_SHIFT_FILE`. Timers and monotonic clocks go on, as with a real
 * system clock.
 */
import { readFileSync } from "node:fs"

const { CLOCK_SHIFT_FILE: file } = process.env
const RealDate = Date
let shift = 0

if (file !== undefined) {
  const now = () => RealDate.now() + shift
  // A proxy keeps `instanceof Date`, which drivers check.
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name))
  })
  process.on("SIGUSR2", () => {
    shift = Number(readFileSync(file, "utf8"))
  })
}
