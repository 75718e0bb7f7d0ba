/**
 * Generated calls of imports of sites.
 */
import * as fc from "fast-check"
import type { CallTemplate } from "../CallTemplate.ts"
import type { OperationName } from "../operations.ts"
import { file } from "./ImportedFiles.ts"
import { anId, marked, mostly, type NamedStep, step } from "./Parts.ts"

const mapping = fc.constantFrom(
  { column: "Notes", target: "attributes.Notes" },
  { column: "notes", target: "Address" },
  { column: "Notes", target: "-" },
  { column: "Address", target: "-" }
)

const options = fc
  .record({
    fileName: mostly(marked("Sites.csv"), "", 7),
    upsert: mostly(fc.boolean(), "yes"),
    mappings: fc.oneof(
      { weight: 20, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: mapping.map((one) => [one]) },
      { weight: 1, arbitrary: fc.constantFrom([{ column: "Notes", target: "colour" }], "none") }
    )
  })
  .map((given): ReadonlyArray<readonly [string, unknown]> => [["options", given]])

const query = fc.oneof(
  { weight: 30, arbitrary: options },
  {
    weight: 1,
    arbitrary: fc.constantFrom([], [["options", "none"] as const], [["options", { colour: "red" }] as const])
  }
)

export const importSteps: ReadonlyArray<NamedStep> = [
  step("readImportColumns", { body: file }),
  step("checkImport", { query, body: file }),
  step("startImport", { ids: [anId("imports")], query, body: file }),
  step("listImports")
]

type Step = CallTemplate | { readonly concurrent: ReadonlyArray<CallTemplate> }
type Flow = ReadonlyArray<Step | { readonly does: "advance"; readonly by: number }>

const month = 31 * 86_400_000

/** A check, and what a client may do with its id. */
const flowsOf = (
  who: CallTemplate["who"],
  { body, fileName }: { readonly body: unknown; readonly fileName: unknown },
  upsert: boolean,
  other: unknown
): ReadonlyArray<Flow> => {
  const ids = [{ "@id": "imports", of: "own", n: 0 }] as const
  const given = (upsert: boolean) => ({ query: [["options", { fileName, upsert, mappings: [] }]] as const, body })
  const one = (call: OperationName, more: Partial<CallTemplate> = {}): CallTemplate => ({ call, who, ids: [], ...more })
  const check = one("checkImport", given(upsert))
  const start = one("startImport", { ids, ...given(upsert) })
  const list = one("listImports")
  const logIn: CallTemplate = {
    ...{ call: "logIn", who: { ...who, odd: "none" }, ids: [] },
    body: { email: { "@email": 0, of: "own" }, password: { "@password": "right" }, code: { "@code": 0 } }
  }
  const elsewhere: CallTemplate = {
    ...start,
    ...{ who: { ...who, organisation: who.organisation + 1 }, ids: [{ "@id": "imports", of: "foreign", n: 0 }] }
  }
  return [
    [check, start, start, list],
    [check, start, { ...start, body: other }, list],
    [check, start, { ...check, body: other }, { ...start, body: other }],
    [check, start, one("checkImport", given(true)), one("startImport", { ids, ...given(true) })],
    [check, { concurrent: [start, start] }, start],
    [check, { concurrent: [start, elsewhere, start] }, list],
    [check, { ...start, stop: true }, { ...check, body: other }, { ...start, body: other }, list],
    [check, { ...start, stop: true }, start, start, list],
    [
      check,
      start,
      { does: "advance", by: month },
      logIn,
      { ...start, who: { ...who, session: -1 } },
      check,
      start,
      list
    ]
  ]
}

export const importFlow: fc.Arbitrary<Flow> = fc
  .tuple(
    fc.record({ organisation: fc.nat(2), key: fc.constant(0), session: fc.nat(7) }),
    fc.record({ body: file, fileName: marked("Sites.csv") }),
    fc.boolean(),
    file,
    fc.nat(8)
  )
  .map(([who, given, upsert, other, which]) => flowsOf(who, given, upsert, other)[which] ?? [])
