/**
 * Random steps of three organisations, compared with a model of the rules.
 */
import * as fc from "fast-check"
import { check, type Proof, type ProofContext } from "../check.ts"
import { providerLogins } from "./ProviderLogin.ts"
import { runSteps, type Step } from "./Runner.ts"
import { administration, put } from "./steps/Administration.ts"
import { companySteps } from "./steps/Company.ts"
import { importFlow, importSteps } from "./steps/Imports.ts"
import { flow, onceOnly, peopleSteps } from "./steps/People.ts"
import { resourceSteps } from "./steps/Resources.ts"
import { places } from "./targets/Databases.ts"

// Records make the other steps meaningful.
const weights: Readonly<Record<string, number>> = {
  issueUploadUrls: 8,
  changeDocumentStatus: 5,
  createSite: 4,
  listSites: 3,
  listDocuments: 2,
  reissueUploadUrl: 2,
  bulkSites: 2,
  createInvitation: 3,
  acceptInvitation: 3,
  createApiKey: 2,
  updateUser: 2,
  ...{ logIn: 4, beginSecondFactor: 3, enableSecondFactor: 5, changeEmail: 2, confirmEmail: 3 },
  ...{ startImport: 2, checkImport: 2 },
  ...{ requestPasswordReset: 2, completePasswordReset: 3, changePassword: 2, listSessions: 2 }
}

const call = fc.oneof(
  ...[...resourceSteps, ...companySteps].map(({ arbitrary, name }) => ({ arbitrary, weight: weights[name] ?? 1 }))
)

/** Calls that make no records: without an answer their ids would be unknown. */
const killed = fc.record({
  concurrent: fc.array(
    call.filter((template) => /^(update|delete|remove|get|list|replace)/.test(template.call)),
    { minLength: 1, maxLength: 3 }
  ),
  killed: fc.constant(true as const)
})

const person = fc.oneof(
  ...[...peopleSteps, ...importSteps].map(({ arbitrary, name }) => ({ arbitrary, weight: weights[name] ?? 1 }))
)

/** Changes of users, at once. */
const roleChange = fc.oneof(
  ...peopleSteps.filter(({ name }) => name === "updateUser" || name === "deleteUser").map(({ arbitrary }) => arbitrary)
)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: call },
  { weight: 10, arbitrary: person },
  { weight: 5, arbitrary: put },
  { weight: 2, arbitrary: administration },
  { weight: 1, arbitrary: killed },
  {
    weight: 1,
    arbitrary: fc.record({
      follow: fc.nat(9),
      limit: fc.constantFrom("1", "2", "100"),
      otherList: fc.boolean(),
      otherOrganisation: fc.boolean(),
      isLimited: fc.boolean()
    })
  },
  { weight: 1, arbitrary: fc.record({ concurrent: fc.array(roleChange, { minLength: 2, maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ concurrent: onceOnly }) },
  { weight: 1, arbitrary: fc.record({ repeat: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ concurrent: fc.array(call, { minLength: 2, maxLength: 4 }) }) }
)

const fewSteps: fc.Arbitrary<ReadonlyArray<Step>> = fc.oneof(
  { weight: 30, arbitrary: step.map((one) => [one]) },
  { weight: 1, arbitrary: flow },
  { weight: 1, arbitrary: importFlow },
  { weight: 1, arbitrary: providerLogins }
)

/** Sequences of so many steps on average, which shrink to few. */
export const sequences = (average: number): fc.Arbitrary<ReadonlyArray<Step>> =>
  fc.array(fewSteps, { minLength: 1, maxLength: 2 * average, size: "max" }).map((steps) => steps.flat())

/** Numbers of sequences; those on server processes are shorter. */
const forms: Readonly<Record<string, { readonly short: number; readonly long: number; readonly average: number }>> = {
  memory: { short: 25, long: 7_000, average: 50 },
  postgres: { short: 4, long: 2_000, average: 50 },
  instances: { short: 2, long: 200, average: 12 },
  pglite: { short: 5, long: 400, average: 50 },
  pgbouncer: { short: 5, long: 400, average: 50 },
  citus: { short: 5, long: 400, average: 50 }
}

const usual = ["memory", "postgres", "instances"]

const runOn = async (name: string, context: ProofContext): Promise<string> => {
  const length = context.long ? "long" : "short"
  const place = await places[name]?.(length)
  const form = forms[name]
  if (place === undefined || form === undefined) {
    if (context.on !== undefined) throw new Error(`${name} is missing on this machine`)
    return `${name} is missing`
  }
  let requests = 0
  const property = fc.asyncProperty(sequences(form.average), async (steps) => {
    const target = await place.make()
    try {
      requests += await runSteps(target, steps)
    } finally {
      await target.close()
    }
  })
  try {
    const runs = await check(property, context, `model --on ${name}`, form[length])
    return `${runs} sequences on ${name} with ${requests} requests`
  } finally {
    await place.close()
  }
}

const run = async (context: ProofContext): Promise<string> => {
  const figures: Array<string> = []
  for (const name of context.on ?? (context.long ? Object.keys(forms) : usual)) {
    const started = performance.now()
    const figure = await runOn(name, context)
    context.log(`${figure} (${((performance.now() - started) / 1_000).toFixed(1)} s)`)
    figures.push(figure)
  }
  return figures.join(", ")
}

export const model: Proof = {
  name: "model",
  title: "A model of the rules answers as the service does, and no organisation sees another.",
  targets: Object.keys(forms),
  run
}
