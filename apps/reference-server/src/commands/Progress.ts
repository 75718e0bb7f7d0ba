/** One line on a terminal, which each step overwrites; nothing where standard error is no terminal. */
import { Effect } from "effect"

const clearLine = "\r\u001b[K"

export const showProgress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}\u001b[K`)
}

export const endProgress = Effect.sync(() => {
  if (process.stderr.isTTY) process.stderr.write(clearLine)
})
