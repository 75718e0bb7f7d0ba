/**
 * Arrays in input. Their length is checked before their items. A body can hold hundreds of
 * thousands of items; collecting the faults of each would block other requests.
 */
import { Schema } from "effect"
import { opaqueAs } from "./OpaqueValue.ts"

/** 1 to `max` items. Messages of faults call one item `noun`. */
export const boundedArray = <Item extends Schema.Constraint>(
  item: Item,
  { max, noun }: { readonly max: number; readonly noun: string }
) => {
  const atLeastOne = Schema.isMinLength(1, { message: `must hold at least 1 ${noun}`, faultCode: "too_few" })
  const atMost = Schema.isMaxLength(max, { message: `must hold at most ${max} ${noun}s`, faultCode: "too_many" })
  return Schema.Array(opaqueAs(item))
    .check(atLeastOne, atMost)
    .pipe(Schema.decodeTo(Schema.Array(item).check(atLeastOne, atMost)))
}
