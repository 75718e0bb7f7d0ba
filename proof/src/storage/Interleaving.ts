/**
 * Runs one sequence, and checks the invariants after each step.
 */
import { DocumentSweeper } from "@solar-sites/core"
import { Cause, Context, Effect, Exit, Fiber } from "effect"
import { commandsOf, deleteOrganisation, type Running } from "./Commands.ts"
import { type Breakage, type Fixture, makeFixture } from "./Fixture.ts"
import { type Command, type Gates, makeGates, RunningCommand } from "./Gates.ts"
import { check, checkEnd, unknown } from "./Invariants.ts"
import type { Sequence, Step } from "./Sequence.ts"
import type { Target } from "./Targets.ts"

const maximumRunning = 6
// Commands wait for claims and retries; none of them waits longer.
const maximumSteps = 5_000

interface Started {
  readonly command: Command
  readonly fiber: Fiber.Fiber<unknown, unknown>
}

export interface Interleaved {
  /** Steps after which all invariants were checked. */
  readonly steps: number
  /** Such as `pending to uploaded`, in order. */
  readonly changes: ReadonlyArray<string>
}

/** Runs an effect without gates. */
const runWith =
  (gates: Gates) =>
  async <A, E>(effect: Effect.Effect<A, E>): Promise<A> => {
    const fiber = Effect.runForkWith(gates.context)(gates.passing(effect))
    await gates.settle()
    return Effect.runPromise(Fiber.join(fiber))
  }

/** Rejects with the first broken invariant. `startsAt` is in milliseconds. */
export const interleave = async (
  { deletesOrganisation, documents: count, steps }: Sequence,
  target: Target,
  startsAt: number,
  breakage?: Breakage
): Promise<Interleaved> => {
  const gates = makeGates(startsAt)
  const run = runWith(gates)
  const fixture: Fixture = await run(Effect.scoped(makeFixture(target, gates, breakage)))
  const documents = fixture.places.map((place) => {
    const known = unknown()
    const of = (instance: 0 | 1) => commandsOf(fixture, gates, place, instance, known)
    return { place, known, commands: [of(0), of(1)] as const }
  })
  const running = new Set<Started>()
  const changes: Array<string> = []
  let checked = 0
  const defects: Array<string> = []

  const fork = (effect: Running): void => {
    const command: Command = { isKilled: false, isUpload: false }
    const context = Context.add(gates.context, RunningCommand, command)
    const started = { command, fiber: Effect.runForkWith(context)(Effect.ignore(effect)) }
    running.add(started)
    started.fiber.addObserver((exit) => {
      running.delete(started)
      // Refusals and interruptions are expected.
      if (Exit.isFailure(exit) && Cause.hasDies(exit.cause)) defects.push(Cause.pretty(exit.cause))
    })
  }

  const start = (step: Extract<Step, { readonly do: "start" }>, onlyClients: boolean): void => {
    const document = documents[step.document % count]
    if (document === undefined || running.size >= maximumRunning) return
    const { all, invited, ofClients } = document.commands[step.instance]
    const choices = onlyClients ? ofClients : step.isInvited ? invited[document.known.state] : all
    const command = choices[step.choice % choices.length]
    if (command !== undefined) fork(command)
  }

  const open = (gate: number | "last"): Promise<void> | undefined => {
    const waiting = gates.waiting()
    // All that runs waits for time.
    if (waiting === 0) return gates.advance(50)
    gates.open(gate === "last" ? -1 : gate % waiting)
    return undefined
  }

  const end = async ({ choice, isKilled }: Extract<Step, { readonly do: "end" }>): Promise<void> => {
    const started = [...running].at(choice % Math.max(1, running.size))
    if (started === undefined) return
    if (isKilled && !started.command.isUpload) {
      started.command.isKilled = true
      running.delete(started)
    }
    // The turns of a killed command in memory end with it. Its calls of ports stay at their gates.
    started.fiber.interruptUnsafe()
  }

  const act = (step: Step, onlyClients: boolean): Promise<void> | undefined | void => {
    switch (step.do) {
      case "start":
        return start(step, onlyClients)
      case "open":
        return open(step.gate)
      case "end":
        return end(step)
      case "advance":
        return gates.advance(step.millis)
    }
  }

  const checkDocuments = Effect.forEach(documents, ({ known, place }) => {
    const { state: before } = known
    return Effect.map(check(fixture, gates, place, known), (state) => {
      if (state !== before) changes.push(`${before} to ${state}`)
    })
  })
  const checkAll = async (when: string): Promise<void> => {
    await gates.settle()
    if (defects[0] !== undefined) throw new Error(`${when}: a command died: ${defects[0]}`)
    try {
      await run(checkDocuments)
    } catch (cause) {
      throw new Error(`${when}: ${cause instanceof Error ? cause.message : cause}`, { cause })
    }
    checked += 1
  }

  const takeSteps = async (when: string, onlyClients: boolean): Promise<void> => {
    for (const [index, step] of steps.entries()) {
      await act(step, onlyClients)
      await checkAll(`${when} ${index}`)
      for (let more = step.do === "open" ? step.more : 0; more > 0 && gates.waiting() > 0; more--) {
        await open("last")
        await checkAll(`${when} ${index}`)
      }
      // Requests begin at different instants.
      await gates.advance(1)
    }
    for (let step = 0; running.size > 0; step++) {
      if (step > maximumSteps) throw new Error("a command never ends")
      await (gates.waiting() > 0 ? open(0) : gates.advance(1_000))
      await checkAll(`after ${when}s`)
    }
  }

  await takeSteps("step", false)
  if (deletesOrganisation) {
    fork(deleteOrganisation(fixture))
    await takeSteps("deletion of the organisation, step", true)
    // Interrupted deletions are repeated.
    await run(Effect.ignore(deleteOrganisation(fixture)))
  }
  for (let turn = 0; turn < 6; turn++) {
    await gates.advance(20 * 60_000)
    await run(Context.get(fixture.services[0], DocumentSweeper).sweep)
    await checkAll("in the end")
  }
  await run(checkEnd(fixture))
  return { steps: checked, changes }
}
