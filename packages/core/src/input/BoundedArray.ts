/**
 * Arrays in input. Their length is checked before their items. A body can hold hundreds of
 * thousands of items; collecting the faults of each would block other requests.
 */
import { Schema } from "effect"
import { orNullIfInvalid, withFaultsOf } from "./AllFaults.ts"
import { opaqueAs } from "./OpaqueValue.ts"

interface Bounds {
  readonly max: number
  readonly min?: 0 | 1
  /** Messages of faults call one item so. */
  readonly noun: string
}

const boundsOf = ({ max, min = 1, noun }: Bounds) =>
  [
    Schema.isMinLength(min, { message: `must hold at least 1 ${noun}`, faultCode: "too_few" }),
    Schema.isMaxLength(max, { message: `must hold at most ${max} ${noun}s`, faultCode: "too_many" })
  ] as const

/** `min` (1 by default) to `max` items. */
export const boundedArray = <Item extends Schema.Constraint>(item: Item, bounds: Bounds) => {
  const checks = boundsOf(bounds)
  return Schema.Array(opaqueAs(item))
    .check(...checks)
    .pipe(Schema.decodeTo(Schema.Array(item).check(...checks)))
}

/** The value that must differ between the items of an array. */
interface Distinction<Part> {
  /** The members of an item that `value` reads. */
  readonly part: Schema.ConstraintDecoder<Part>
  /** Null is no value. */
  readonly value: (part: Part) => string | null
  /** Path of the value in its item. */
  readonly path?: ReadonlyArray<PropertyKey>
  readonly detail: string
}

/** A repetition is a fault at its own place. Items that are null have no value. */
const areDistinct = <Part>({ detail, path = [], value }: Distinction<Part>) =>
  Schema.makeFilter(
    (items: ReadonlyArray<Part | null>) => {
      const seen = new Set<string>()
      return items.flatMap((item, index) => {
        const found = item === null ? null : value(item)
        if (found === null) return []
        const isRepeated = seen.has(found)
        seen.add(found)
        return isRepeated ? [{ path: [index, ...path], issue: detail }] : []
      })
    },
    { message: detail, faultCode: "duplicate" }
  )

/** A bounded array of items that differ in a value. Faults of items do not hide repeated values. */
export const distinctArray = <
  Part,
  Item extends Schema.Constraint & {
    readonly Type: Part
    readonly DecodingServices: never
    readonly EncodingServices: never
  }
>(
  item: Item,
  { distinct, ...bounds }: Bounds & { readonly distinct: Distinction<Part> }
) => {
  const filter = areDistinct(distinct)
  return withFaultsOf(
    boundedArray(orNullIfInvalid(distinct.part), bounds).check(filter),
    boundedArray(item, bounds).check(filter),
    Schema.Array(opaqueAs(item)).check(...boundsOf(bounds))
  )
}
