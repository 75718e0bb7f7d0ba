/**
 * Progress of a long step, on standard error.
 */
import type { Progress } from "./Generate.ts"

/** A bar that moves on a terminal, and a line for each finished step elsewhere. */
export const progressBar = (): Progress => {
  const started = performance.now()
  return ({ of, rows, what }) => {
    const filled = Math.floor((rows / of) * 30)
    const seconds = Math.round((performance.now() - started) / 1_000)
    const line = `[${"#".repeat(filled).padEnd(30)}] ${what} ${rows} of ${of}, ${seconds} s`
    process.stderr.write(
      process.stderr.isTTY ? `\r${line.padEnd(78)}${rows === of ? "\n" : ""}` : rows === of ? `${line}\n` : ""
    )
  }
}
