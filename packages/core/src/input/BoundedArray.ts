/**
 * Arrays of an input, with a length that is judged before anything in them is
 * read: a body may hold hundreds of thousands of elements, and to tell the faults
 * of each would keep everybody else waiting.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import { opaqueAs } from "./OpaqueValue.ts"

/**
 * 1 to `max` items; `noun` is what faults call one of them.
 *
 * @category schemas
 * @since 0.1.0
 */
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
