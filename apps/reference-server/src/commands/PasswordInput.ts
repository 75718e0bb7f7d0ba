/**
 * Reads a password from standard input: a person on a terminal is asked and sees
 * nothing of it, from anything else the first line is taken.
 *
 * @since 0.1.0
 */
import { createInterface } from "node:readline"
import { Writable } from "node:stream"
import { Effect } from "effect"
import { newPassword, type Password, PasswordRefused } from "../accounts/Password.ts"
import { Failure } from "../Failure.ts"

/** Standard output belongs to the answer, so the question goes to standard error. */
const readLine = (question: string): Effect.Effect<string, Failure> =>
  Effect.callback<string, Failure>((resume) => {
    const isTerminal = process.stdin.isTTY === true
    // What the terminal would show of the keys that are pressed goes nowhere.
    const output = new Writable({ write: (_chunk, _encoding, done) => done() })
    const lines = createInterface({ input: process.stdin, output, terminal: isTerminal })
    if (isTerminal) process.stderr.write(question)
    lines.once("line", (line) => {
      resume(Effect.succeed(line))
      lines.close()
    })
    lines.once("close", () => {
      if (isTerminal) process.stderr.write("\n")
      resume(Effect.fail(new Failure({ sentence: "The password is read from standard input, where there is none." })))
    })
    return Effect.sync(() => lines.close())
  })

/**
 * A password that can be one. On a terminal it has to be given twice.
 *
 * @category input
 * @since 0.1.0
 */
export const readPassword: Effect.Effect<Password, Failure | PasswordRefused> = Effect.gen(function* () {
  const text = yield* readLine("Password: ")
  const password = newPassword(text)
  if (password instanceof PasswordRefused) return yield* password
  if (process.stdin.isTTY === true && (yield* readLine("Once more: ")) !== text) {
    return yield* new Failure({ sentence: "The two passwords are not the same." })
  }
  return password
})
