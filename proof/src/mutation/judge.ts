/**
 * Finds out which mutants the tests notice, and what that says about the tests.
 */
import type { Area, Mutant, Suite } from "./Mutant.ts"
import type { MutantRunner } from "./MutantRunner.ts"

/** `noticedBy`: the test that failed, and the first line of its message. */
export interface Judgement {
  readonly mutant: Pick<Mutant, "id" | "file" | "line">
  readonly noticedBy: string | undefined
}

/** A statement that does not parse, or is no text, says nothing about the check that it lacks. */
const isInvalid = (message: string) =>
  /syntax error|could not determine data type|SyntaxError|is not a function/.test(message)

/** A busy machine can be the reason, too. */
const isTimeOut = (message: string) => /timed out in/.test(message)

/**
 * Judges mutants one after the other. Throws when tests fail without a change, or because a changed
 * source is no longer valid.
 */
export const judgeAll = async (
  { suitesOf }: Pick<Area, "suitesOf">,
  mutants: ReadonlyArray<Mutant>,
  runner: Pick<MutantRunner, "run">,
  onEnd: (judgement: Judgement) => void = () => {}
): Promise<ReadonlyArray<Judgement>> => {
  const unchanged = new Set<string>()
  const keyOf = ({ files, pattern, project }: Suite) => [project, ...files, pattern?.source].join()

  /** Once per suite, and at each time-out: shows that a failure comes from the change. */
  const checkUnchanged = async (suite: Suite, message: string) => {
    const key = keyOf(suite)
    if (unchanged.has(key) && !isTimeOut(message)) return
    // One of two runs must pass: a run of hours would end by one failure by chance.
    const failure = (await runner.run(suite, undefined)) && (await runner.run(suite, undefined))
    if (failure !== undefined) throw new Error(`Fails without a change: ${failure.test}: ${failure.message}`)
    unchanged.add(key)
  }

  const judge = async (mutant: Mutant): Promise<Judgement> => {
    for (const [position, suite] of suitesOf(mutant).entries()) {
      const failure = await runner.run(suite, mutant)
      if (failure === undefined) continue
      if (isInvalid(failure.message)) throw new Error(`${mutant.id}: ${failure.message}`)
      // Among many tests one fails by chance now and then.
      if (position > 0 && (await runner.run(suite, mutant)) === undefined) continue
      await checkUnchanged(suite, failure.message)
      return { mutant, noticedBy: `${failure.test}: ${failure.message.split("\n")[0] ?? ""}` }
    }
    return { mutant, noticedBy: undefined }
  }

  const judged: Array<Judgement> = []
  for (const mutant of mutants) {
    const judgement = await judge(mutant)
    onEnd(judgement)
    judged.push(judgement)
  }
  return judged
}

/** Reasons by name of a mutant. */
export type Listed = Readonly<Record<string, string>>

/** One sentence per mutant that should have been noticed, or is listed without need. */
export const faultsOf = (judged: ReadonlyArray<Judgement>, listed: Listed): ReadonlyArray<string> =>
  judged.flatMap(({ mutant: { id }, noticedBy }) => {
    const isListed = Object.hasOwn(listed, id)
    if (noticedBy === undefined) return isListed ? [] : [`${id}: no test fails`]
    return isListed ? [`${id}: listed, but this test fails: ${noticedBy}`] : []
  })

/** One sentence per listed name that no mutant has. */
export const staleIn = (mutants: ReadonlyArray<Pick<Mutant, "id">>, listed: Listed): ReadonlyArray<string> => {
  const known = new Set(mutants.map(({ id }) => id))
  return Object.keys(listed)
    .filter((id) => !known.has(id))
    .map((id) => `${id}: listed, but not in the sources`)
}

/** Counts of equal names. */
const countsOf = (names: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/**
 * One sentence per name that more mutants have than are listed, or fewer. A name stands as often in the
 * list as mutants that no test notices have it.
 */
export const faultsOfRules = (
  unnoticed: ReadonlyArray<string>,
  listed: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const [found, expected] = [countsOf(unnoticed), countsOf(listed)]
  return [...new Set([...unnoticed, ...listed])].flatMap((name) => {
    const [there, known] = [found.get(name) ?? 0, expected.get(name) ?? 0]
    if (there > known) return [`${name}: no test fails for ${there}, and ${known} are listed`]
    return there < known ? [`${name}: ${known} are listed, but ${there} are in the sources and not noticed`] : []
  })
}
