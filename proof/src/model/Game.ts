/**
 * One play of steps against a target.
 */
import type { Answer, Call } from "./Call.ts"
import { requestOf, searchOf } from "./Draft.ts"
import { operations } from "./operations.ts"
import type { Target } from "./targets/Target.ts"
import type { World } from "./World.ts"

export interface Game {
  readonly target: Target
  /** The worlds that explain all answers so far; several where concurrent calls allow several orders. */
  worlds: ReadonlyArray<World>
  requests: number
  /** Calls with an `Idempotency-Key`. */
  readonly repeatable: Array<Call>
}

/** The target contradicts the model. */
export class Mismatch extends Error {}

export const firstOf = ({ worlds: [world] }: Game): World => {
  if (world === undefined) throw new Error("a game has a world")
  return world
}

export const nextRequestId = (game: Game): string => `model-${String(game.requests++).padStart(4, "0")}`

const parse = (text: string): unknown => {
  try {
    return text === "" ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

/** By default the servers of the target take turns. */
export const send = async (game: Game, call: Call, server = game.requests % game.target.servers): Promise<Answer> => {
  const { target } = game
  const from = target.now()
  const response = await target.fetch((base) => requestOf(base, call), server)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parse(text), from, to: target.now() }
}

export const describe = (call: Call, answer: Answer): string => {
  const { method, path } = operations[call.operation]
  const place = `${method} ${path}${searchOf(call.query)} ${JSON.stringify({ ids: call.ids, body: call.body, ...call.headers })}`
  return `${place}\nanswered ${answer.status} ${answer.text.slice(0, 1_500)}`
}
