/**
 * State of one run of steps against a target.
 */
import type { Answer, Call } from "./Call.ts"
import { requestOf, searchOf } from "./CallTemplate.ts"
import { between, type Instant } from "./Match.ts"
import type { ModelState, Organisation } from "./ModelState.ts"
import { operations } from "./operations.ts"
import type { Target } from "./targets/Target.ts"

export interface TestRun {
  readonly target: Target
  /** The models that explain all answers so far; several where concurrent calls allow several orders. */
  models: ReadonlyArray<ModelState>
  requests: number
  /** Calls with an `Idempotency-Key`. */
  readonly repeatable: Array<Call>
  /** Places of the mails that the model expected, among those that were received. */
  readonly mails: Set<number>
}

/** The target contradicts the model. */
export class Mismatch extends Error {}

export const firstOf = ({ models: [model] }: TestRun): ModelState => {
  if (model === undefined) throw new Error("a test run has a model")
  return model
}

export const nextRequestId = (testRun: TestRun): string => `model-${String(testRun.requests++).padStart(4, "0")}`

/** The same organisation in every model. */
export const each = ({ models }: TestRun, id: string, act: (organisation: Organisation) => void): void => {
  for (const { organisations } of models) {
    const organisation = organisations.find((one) => one.id === id)
    if (organisation !== undefined) act(organisation)
  }
}

/** Does something at the target, and tells the time that it took. */
export const timed = async <A>(
  { target }: TestRun,
  act: () => Promise<A>
): Promise<{ readonly made: A; readonly at: Instant }> => {
  const from = target.now()
  const made = await act()
  return { made, at: between(from, target.now()) }
}

const parse = (text: string): unknown => {
  try {
    return text === "" ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

/** By default the servers of the target take turns. */
export const send = async (
  testRun: TestRun,
  call: Call,
  server = testRun.requests % testRun.target.servers
): Promise<Answer> => {
  const { target } = testRun
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
