/**
 * Generated files of sites to import, with good and faulty columns and rows.
 */
import * as fc from "fast-check"
import { type Form, forms } from "../ImportedFile.ts"
import { spelledDegrees, spelledNumbers } from "../rules/ImportedColumns.ts"
import { anId, marked, mostly } from "./Parts.ts"

type Value = fc.Arbitrary<unknown>

const empty = null

/** Headers of a column, and its cells. */
interface ColumnKind {
  readonly headers: ReadonlyArray<string>
  readonly cell: Value
}

const column = (headers: ReadonlyArray<string>, cell: Value): ColumnKind => ({ headers, cell })

const siteName = column(
  ["Site name", "siteName", "SITE_NAME"],
  mostly(marked("South", "Über", '"North", new', "'=A1"), empty)
)
const capacity = mostly(
  fc.constantFrom(1, 2.5, 500, ...Object.keys(spelledNumbers).slice(0, 4)),
  empty,
  0,
  ..."1,250|2,5|1.250|twelve|1'234,5".split("|")
)
const withUnit = [column(["Capacity (kWp)", "capacity_mw"], capacity)]
const withUnitColumn = [
  column(["capacity", "CAPACITY"], capacity),
  column(["unit", "Unit"], mostly(fc.constantFrom("kW", "KWP", "MW"), "kwh", empty))
]

/** External ids, also those of sites of other steps. */
const externalId = column(
  ["External id", "externalId"],
  fc.constantFrom(...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `X-${n}`), empty)
)

const others: ReadonlyArray<ColumnKind> = [
  column(
    ["portfolioId", "Portfolio ID"],
    fc.oneof({ weight: 4, arbitrary: anId("portfolios", 20) }, { weight: 1, arbitrary: fc.constant(empty) })
  ),
  column(["Portfolio"], fc.oneof(fc.constantFrom("X-1", "X-2", empty), marked("East", "west", "North"))),
  column(["Address"], fc.oneof(marked("Mill Lane\n7", "'+1; rear"), fc.constant(empty))),
  column(["latitude"], mostly(fc.constantFrom("51.501", "-7.125", empty), ...Object.keys(spelledDegrees), 91)),
  column(["Tags"], fc.constantFrom("roof; field", "old", empty)),
  column(["attributes.owner"], fc.oneof(marked("Mill"), fc.constantFrom(7, empty))),
  column(["siteManager.name"], fc.oneof(marked("Ada"), fc.constant(empty))),
  column(["Site manager phone"], fc.constantFrom("1234", empty, empty)),
  column(["id"], mostly(fc.constantFrom(empty, "0190A5C0-0000-7000-8000-000000000001"), "7")),
  column(["Notes"], fc.oneof(marked("By the road"), fc.constant(empty))),
  column(["version"], fc.constantFrom(3, empty)),
  column(["address"], fc.constant(empty)),
  column([""], fc.constantFrom(empty))
]

const form = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...forms.slice(0, 7)) },
  { weight: 1, arbitrary: fc.constantFrom(...forms.slice(7)) }
)

/** Filled in when it is sent. */
export interface FileTemplate {
  readonly form: Form
  readonly header: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<unknown>>
}

const rowOf = (kinds: ReadonlyArray<ColumnKind>) =>
  fc.oneof(
    { weight: 30, arbitrary: fc.tuple(...kinds.map(({ cell }) => cell)) },
    { weight: 1, arbitrary: fc.constant(kinds.map(() => empty)) },
    { weight: 1, arbitrary: fc.tuple(...kinds.map(({ cell }) => cell), fc.constant("more")) }
  )

const tableOf = (kinds: ReadonlyArray<ColumnKind>): fc.Arbitrary<FileTemplate> =>
  fc.record({
    form,
    header: fc.tuple(...kinds.map(({ headers }) => fc.constantFrom(...headers))),
    rows: fc.oneof(
      { weight: 12, arbitrary: fc.array(rowOf(kinds), { minLength: 1, maxLength: 4 }) },
      { weight: 1, arbitrary: fc.constant([]) }
    )
  })

/** Mostly with all required columns, in any order. A header of one column would show no delimiter. */
const kinds: fc.Arbitrary<ReadonlyArray<ColumnKind>> = fc
  .tuple(
    fc.oneof({ weight: 30, arbitrary: fc.constant([siteName]) }, { weight: 1, arbitrary: fc.constant([]) }),
    fc.constantFrom(withUnit, withUnitColumn),
    fc.constantFrom([], [externalId]),
    fc.oneof(
      { weight: 12, arbitrary: fc.subarray(others.slice(0, 10), { maxLength: 4 }) },
      { weight: 1, arbitrary: fc.subarray([...others], { maxLength: 4 }) }
    )
  )
  .map((parts) => parts.flat())
  .filter(({ length }) => length > 1)
  .chain((chosen) => fc.shuffledSubarray(chosen, { minLength: chosen.length }))

export const file = kinds.chain(tableOf)

/** Two files with the same columns: rows with an external id may be of the same sites. */
export const files = kinds.chain((chosen) => fc.tuple(tableOf(chosen), tableOf(chosen)))

/** In flows, files with this column map it. */
export const mappedColumn = "Notes"
