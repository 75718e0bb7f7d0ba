/**
 * Cases of random steps, one after the other and several at once, compared with the reference.
 */
import type { OrganisationId } from "@solar-sites/core"
import { Effect } from "effect"
import type { ConformanceCase } from "./Conformance.ts"
import { type Counts, makeWorld, one, type Random, type World } from "./RandomSteps.ts"
import { answerOf, expectReference, expectSomeOrder, type ReferencePorts, type Step } from "./Reference.ts"
import { inOtherZone } from "./TimeZone.ts"

type Cases<Ports> = ReadonlyArray<ConformanceCase<Ports>>

/** Numbers of records, the steps that all others follow, and the compared state. */
export interface Comparison<Ports> {
  readonly counts?: Counts
  /** Number of steps one after the other. */
  readonly steps?: number
  readonly before: (world: World) => ReadonlyArray<Step<Ports>>
  readonly stateOf: (organisationId: OrganisationId) => Effect.Effect<unknown, unknown, Ports>
}

const stateIn = <Ports>({ stateOf }: Comparison<Ports>, world: World) =>
  Effect.forEach(world.owners, ({ id }) => stateOf(id))

/** Commands in two organisations, each followed by one of the reads. */
const oneByOne = <Ports extends ReferencePorts>(
  seed: number,
  comparison: Comparison<Ports>,
  commands: ReadonlyArray<Random<Ports>>,
  reads: ReadonlyArray<Random<Ports>>
) =>
  Effect.suspend(() => {
    const world = makeWorld(seed, comparison.counts)
    const before = comparison.before(world)
    const steps = Array.from({ length: comparison.steps ?? 160 }, (): Step<Ports> => {
      const command = one(world, commands)(world)
      if (reads.length === 0) return command
      const read = one(world, reads)(world)
      return { name: `${command.name}, ${read.name}`, run: Effect.all([answerOf(command.run), read.run]) }
    })
    return expectReference(stateIn(comparison, world), [...before, ...steps])
  })

/** Three of the values, each as often at most as it is listed. */
const three = <A>({ below }: World, values: ReadonlyArray<A>): ReadonlyArray<A> => {
  const rest = [...values]
  return [1, 2, 3].flatMap(() => rest.splice(below(rest.length), 1))
}

/** Rounds of three commands at once, and again with other records. */
const atOnce = <Ports extends ReferencePorts>(
  seed: number,
  comparison: Comparison<Ports>,
  commands: ReadonlyArray<Random<Ports>>
) =>
  Effect.forEach(
    Array.from({ length: 8 }),
    (_, index) => {
      const world = makeWorld(100 * seed + index, comparison.counts)
      const before = comparison.before(world)
      const rounds = Array.from({ length: 10 }, () => {
        world.clock.now += 2
        return three(world, commands).map((random) => random(world))
      })
      return expectSomeOrder(stateIn(comparison, world), before, rounds)
    },
    { discard: true }
  )

/** A case for each of two sequences of random steps. */
const seeded = <Ports>(promise: string, check: (seed: number) => ConformanceCase<Ports>["check"]): Cases<Ports> =>
  [1, 2].map((seed) => ({
    name: `${promise} (random steps ${seed})`,
    check: check(seed)
  }))

/** Commands and reads do what those of the reference do. The second sequence runs in a time zone with summer time. */
export const comparedCases = <Ports extends ReferencePorts>(
  promise: string,
  comparison: Comparison<Ports>,
  commands: ReadonlyArray<Random<Ports>>,
  reads: ReadonlyArray<Random<Ports>> = []
): Cases<Ports> =>
  seeded(promise, (seed) => oneByOne(seed, comparison, commands, reads)).map((one, index) =>
    index === 0 ? one : inOtherZone(one)
  )

/** Commands at once do what those of the reference do in some order. */
export const atOnceCases = <Ports extends ReferencePorts>(
  promise: string,
  comparison: Comparison<Ports>,
  commands: ReadonlyArray<Random<Ports>>
): Cases<Ports> => seeded(promise, (seed) => atOnce(seed, comparison, commands))
