/**
 * Reads a password from standard input: prompts without echo on a terminal, else
 * takes the first line.
 */
import { createInterface } from "node:readline"
import { Writable } from "node:stream"
import { Context, Effect, type Scope } from "effect"
import { newPassword, type Password, PasswordRefused } from "../accounts/login/Password.ts"
import { Failure } from "../Failure.ts"

/** Standard input of the command. */
export const StandardInput = Context.Reference<NodeJS.ReadableStream & { readonly isTTY?: boolean }>(
  "@solar-sites/reference-server/StandardInput",
  { defaultValue: () => process.stdin }
)

type Ask = (question: string) => Effect.Effect<string, Failure>

const nothing = new Failure({ message: "The password is read from standard input, which is empty." })

/** Prompts go to standard error: standard output is for the result. */
const prompts: Effect.Effect<Ask, never, Scope.Scope> = Effect.gen(function* () {
  const input = yield* StandardInput
  const isTerminal = input.isTTY === true
  // Discards the echo of the terminal.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = yield* Effect.acquireRelease(
    Effect.sync(() => createInterface({ input, output, terminal: isTerminal })),
    (lines) => Effect.sync(() => lines.close())
  )
  lines.once("SIGINT", () => lines.close())
  const iterator = lines[Symbol.asyncIterator]()
  return (question) =>
    Effect.gen(function* () {
      if (isTerminal) process.stderr.write(question)
      const { done, value } = yield* Effect.promise(() => iterator.next())
      if (isTerminal) process.stderr.write("\n")
      return done === true ? yield* nothing : value
    })
})

/** Reads and validates a password. On a terminal it is entered twice. */
export const readPassword: Effect.Effect<Password, Failure | PasswordRefused> = Effect.gen(function* () {
  const ask = yield* prompts
  const text = yield* ask("Password: ")
  const password = newPassword(text)
  if (password instanceof PasswordRefused) return yield* password
  if ((yield* StandardInput).isTTY === true && (yield* ask("Once more: ")) !== text) {
    return yield* new Failure({ message: "The two passwords differ." })
  }
  return password
}).pipe(Effect.scoped)
