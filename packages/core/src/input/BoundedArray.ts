/**
 * Arrays in input. Their length is checked before their items. A body can hold hundreds of
 * thousands of items; collecting the faults of each would block other requests.
 */
import { Schema } from "effect"
import { opaqueAs } from "./OpaqueValue.ts"

/** `min` (1 by default) to `max` items. Messages of faults call one item `noun`. */
export const boundedArray = <Item extends Schema.Constraint>(
  item: Item,
  { max, min = 1, noun }: { readonly min?: 0 | 1; readonly max: number; readonly noun: string }
) => {
  const atLeast = Schema.isMinLength(min, { message: `must hold at least 1 ${noun}`, faultCode: "too_few" })
  const atMost = Schema.isMaxLength(max, { message: `must hold at most ${max} ${noun}s`, faultCode: "too_many" })
  return Schema.Array(opaqueAs(item))
    .check(atLeast, atMost)
    .pipe(Schema.decodeTo(Schema.Array(item).check(atLeast, atMost)))
}

/**
 * Filter of values that occur once. `valuesOf` lists each value with its path in the input; null is
 * no value. The fault of a repetition is at its own path.
 */
export const distinct = <Input>(
  detail: string,
  valuesOf: (input: Input) => ReadonlyArray<readonly [path: ReadonlyArray<PropertyKey>, value: string | null]>
) =>
  Schema.makeFilter(
    (input: Input) => {
      const seen = new Set<string>()
      return valuesOf(input).flatMap(([path, value]) => {
        const isRepeated = value !== null && seen.has(value)
        if (value !== null) seen.add(value)
        return isRepeated ? [{ path, issue: detail }] : []
      })
    },
    { message: detail, faultCode: "duplicate" }
  )
