/**
 * Removes one check at a time, and runs tests until one of them fails. The short form takes a sample
 * of the scopes, the long form all checks, and StrykerJS on the rules.
 */
import { choose, type Proof, type ProofContext } from "../check.ts"
import { areas } from "./areas.ts"
import { equivalents } from "./equivalents.table.ts"
import { faultsOf, faultsOfRules, type Judgement, judgeAll, staleIn } from "./judge.ts"
import type { Area, Mutant } from "./Mutant.ts"
import { openRunner } from "./MutantRunner.ts"
import { type RuleArea, ruleAreas } from "./rules.table.ts"
import { runStryker } from "./stryker.ts"
import { unnoticed } from "./unnoticed.table.ts"

/** Areas with quick tests. */
const sampled: ReadonlyArray<string> = ["scopes"]
const usualSample = 4
const neededShare = 0.9

/** Counts of all areas, and the faults. */
interface Total {
  changes: number
  noticed: number
  listed: number
  readonly faults: Array<string>
}

const placeOf = ({ file, id, line }: Judgement["mutant"]) => `${file}:${line} ${id}`

const shown = ({ mutant, noticedBy }: Judgement) =>
  noticedBy === undefined ? `NOT noticed: ${placeOf(mutant)}` : `noticed: ${placeOf(mutant)} — ${noticedBy}`

/** Mutants with one of the texts of `path` in their place or name. */
export const selected = (all: ReadonlyArray<Mutant>, path: string): ReadonlyArray<Mutant> => {
  const texts = path.split(",").map((text) => text.trim())
  return all.filter((mutant) => texts.some((text) => placeOf(mutant).includes(text)))
}

const chosenOf = (all: ReadonlyArray<Mutant>, { long, path, runs, seed }: ProofContext, listed: object) => {
  if (path !== undefined) return selected(all, path)
  if (long) return all
  const unlisted = all.filter(({ id }) => !Object.hasOwn(listed, id))
  return choose(unlisted, runs ?? usualSample, seed)
}

const runArea = async (area: Area, context: ProofContext, total: Total): Promise<void> => {
  const all = area.find()
  const listed = equivalents[area.name] ?? {}
  const chosen = chosenOf(all, context, listed)
  total.faults.push(...staleIn(all, listed))
  if (chosen.length === 0) return
  // All tests would take minutes for a mutant that none of them can notice.
  const suitesOf = (mutant: Mutant) => area.suitesOf(mutant).slice(0, Object.hasOwn(listed, mutant.id) ? 2 : undefined)
  const projects = new Set(chosen.flatMap((mutant) => suitesOf(mutant).map(({ project }) => project)))
  await using runner = await openRunner([...projects])
  const judged = await judgeAll({ suitesOf }, chosen, runner, (judgement) => context.log(shown(judgement)))
  total.changes += judged.length
  total.noticed += judged.filter(({ noticedBy }) => noticedBy !== undefined).length
  total.listed += judged.filter(({ mutant }) => Object.hasOwn(listed, mutant.id)).length
  total.faults.push(...faultsOf(judged, listed))
}

const runRules = async (area: RuleArea, { log }: ProofContext, total: Total): Promise<void> => {
  const mutants = await runStryker(area)
  const noticed = mutants.filter(({ isNoticed }) => isNoticed)
  const share = noticed.length / mutants.length
  const survivors = mutants.filter(({ isNoticed }) => !isNoticed)
  const listed = Object.values(unnoticed[area.name] ?? {}).flat()
  log(`${area.name}: ${noticed.length} of ${mutants.length} noticed (${(100 * share).toFixed(1)} %)`)
  for (const { isReached, line, name } of survivors.filter((one) => !listed.includes(one.name)))
    log(`NOT noticed${isReached ? "" : ", reached by no test"}: line ${line}: ${name}`)
  total.changes += mutants.length
  total.noticed += noticed.length
  total.listed += listed.length
  if (share < neededShare) total.faults.push(`${area.name}: less than ${100 * neededShare} % noticed`)
  const names = survivors.map(({ name }) => name)
  total.faults.push(...faultsOfRules(names, listed))
}

const run = async (context: ProofContext): Promise<string> => {
  const { long, on, path } = context
  const usual = long ? mutation.targets : path === undefined ? sampled : areas.map(({ name }) => name)
  const isChosen = ({ name }: { readonly name: string }) => (on ?? usual ?? []).includes(name)
  const total: Total = { changes: 0, noticed: 0, listed: 0, faults: [] }
  for (const area of areas.filter(isChosen)) await runArea(area, context, total)
  for (const area of ruleAreas.filter(isChosen)) await runRules(area, context, total)
  const replay = "Replay: npx -y pnpm@10 proof mutation --path 'PART OF ITS NAME,…'"
  if (total.faults.length > 0) throw new Error([...total.faults, "", replay].join("\n"))
  return `${total.changes} changes, ${total.noticed} noticed, ${total.listed} listed with a reason`
}

export const mutation: Proof = {
  name: "mutation",
  title: "a test fails for each check of organisations, scopes and rules that is removed",
  targets: [...areas, ...ruleAreas].map(({ name }) => name),
  run
}
