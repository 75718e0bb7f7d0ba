/**
 * Generated calls of imports of sites.
 */
import * as fc from "fast-check"
import type { CallTemplate } from "../CallTemplate.ts"
import { companySteps } from "./Company.ts"
import { type FileTemplate, file, files, mappedColumn } from "./ImportedFiles.ts"
import { anId, marked, mostly, type NamedStep, step } from "./Parts.ts"
import { logInOf } from "./People.ts"
import { resourceSteps } from "./Resources.ts"

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

interface Parts {
  readonly organisation: number
  /** Index of the user. */
  readonly n: number
  readonly fileName: unknown
  readonly upsert: boolean
  readonly target: string
  readonly files: readonly [FileTemplate, FileTemplate]
  /** A call that changes nothing that an import reads or shows. */
  readonly beside: CallTemplate
}

/** After a login and a check, what a client may do with the id of the check. */
const flowsOf = ({ beside, fileName, files, n, organisation, target, upsert }: Parts): ReadonlyArray<Flow> => {
  const who = { organisation, key: 0, session: -1 }
  const ids = [{ "@id": "imports", of: "own", n: 0 }] as const
  const given = (body: FileTemplate, isUpsert: boolean): Pick<CallTemplate, "query" | "body"> => {
    const mappings = body.header.includes(mappedColumn) ? [{ column: mappedColumn, target }] : []
    return { query: [["options", { fileName, upsert: isUpsert, mappings }]], body }
  }
  const checkOf = (body: FileTemplate, isUpsert = upsert): CallTemplate => ({
    ...{ call: "checkImport", who, ids: [], ...given(body, isUpsert) }
  })
  const startOf = (body: FileTemplate, isUpsert = upsert): CallTemplate => ({
    ...{ call: "startImport", who, ids, ...given(body, isUpsert) }
  })
  const logIn = logInOf(organisation, n, { "@code": 0 })
  const [first, second] = files
  const columns: CallTemplate = { call: "readImportColumns", who, ids: [], body: first }
  const list: CallTemplate = { call: "listImports", who, ids: [] }
  const [check, start] = [checkOf(first), startOf(first)]
  const elsewhere: CallTemplate = {
    ...{ ...start, who: { ...who, organisation: organisation + 1 } },
    ids: [{ "@id": "imports", of: "foreign", n: 0 }]
  }
  const demotion: CallTemplate = {
    ...{ call: "updateUser", who, ids: [{ "@id": "users", of: "own", n }], body: { role: "viewer" } }
  }
  const flows: ReadonlyArray<Flow> = [
    [start, start, list],
    [start, startOf(second), list],
    [start, checkOf(second), startOf(second)],
    [start, checkOf(first, true), startOf(first, true)],
    [start, checkOf(second, true), startOf(second, true), list],
    [{ concurrent: [start, start] }, start],
    [{ concurrent: [start, elsewhere, start] }, list],
    [{ concurrent: [start, beside] }, list],
    [{ ...start, stop: true }, checkOf(second), startOf(second), list],
    [{ ...start, stop: true }, start, start, list],
    [demotion, columns, check, start, list],
    [start, { does: "advance", by: month }, logIn, start, check, start, list]
  ]
  return flows.map((flow) => [logIn, columns, check, ...flow])
}

const besides: ReadonlyArray<string> = [
  ...["createWebhook", "updateWebhook", "getMe"],
  ...["replaceDocumentRequirements", "issueUploadUrls"]
]

export const importFlow: fc.Arbitrary<Flow> = fc
  .record({
    ...{ organisation: fc.nat(2), n: fc.nat(4), fileName: marked("Sites.csv"), upsert: fc.boolean(), files },
    target: fc.constantFrom("attributes.Notes", "Address", "-"),
    beside: fc.oneof(
      ...[...resourceSteps, ...companySteps]
        .filter(({ name }) => besides.includes(name))
        .map(({ arbitrary }) => arbitrary)
    )
  })
  .chain((parts) => fc.constantFrom(...flowsOf(parts)))
