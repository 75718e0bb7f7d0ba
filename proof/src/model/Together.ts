/**
 * Concurrent calls. Their answers must be those of some order of the calls, one after another.
 */
import type { Answer, Call } from "./Call.ts"
import { type Draft, resolve } from "./Draft.ts"
import { describe, firstOf, type Game, Mismatch, nextRequestId, send } from "./Game.ts"
import { leakIn } from "./Isolation.ts"
import { judge } from "./Judge.ts"
import { isRecord } from "./Members.ts"
import type { World } from "./World.ts"

type Pair = readonly [Call, Answer]

/** A second request with a key in use is refused, and changes nothing. */
const isInUse = ([call, { body }]: Pair, others: ReadonlyArray<Pair>): boolean => {
  const { "idempotency-key": key } = call.headers
  return (
    isRecord(body) &&
    body["code"] === "idempotency_key_in_use" &&
    others.some(([other]) => other !== call && other.headers["idempotency-key"] === key)
  )
}

/** The worlds after the orders of the calls that explain their answers. */
const explain = (world: World, pairs: ReadonlyArray<Pair>, faults: Set<string>): ReadonlyArray<World> => {
  if (pairs.length === 0) return [world]
  return pairs.flatMap((pair) => {
    const next = structuredClone(world)
    const fault = judge(next, ...pair)
    const others = pairs.filter((other) => other !== pair)
    if (fault === undefined) return explain(next, others, faults)
    faults.add(`${fault}\n${describe(...pair)}`)
    return []
  })
}

/** Worlds that differ; the order of events does not count. */
const distinct = (worlds: ReadonlyArray<World>): ReadonlyArray<World> => {
  const text = (world: World) =>
    JSON.stringify(world, (key, value: unknown) => {
      if (value instanceof Map) return [...value].sort(([a], [b]) => (a < b ? -1 : 1))
      if (value instanceof Set) return [...value].sort()
      return key === "events" && Array.isArray(value) ? value.map((one) => JSON.stringify(one)).sort() : value
    })
  return [...new Map(worlds.map((world) => [text(world), world])).values()]
}

export const playTogether = async (game: Game, drafts: ReadonlyArray<Draft>): Promise<void> => {
  const world = firstOf(game)
  const calls = drafts.map((draft) => resolve(world, draft, nextRequestId(game)).call)
  const sent = calls.map(async (call, index) => [call, await send(game, call, index % game.target.servers)] as const)
  const pairs = await Promise.all(sent)
  for (const [call, answer] of pairs) {
    const leak = leakIn(world, call, answer)
    if (leak !== undefined) throw new Mismatch(`${leak}\n${describe(call, answer)}`)
  }
  const faults = new Set<string>()
  const effective = pairs.filter((pair) => !isInUse(pair, pairs))
  const found = game.worlds.flatMap((one) => explain(one, effective, faults))
  if (found.length > 0) game.worlds = distinct(found)
  else throw new Mismatch(`no order explains the answers of concurrent calls:\n${[...faults].slice(0, 6).join("\n")}`)
}
