/**
 * Sizes of files in settings: `100MiB`, `5GB`, or a number of bytes.
 */
import { Schema, SchemaTransformation } from "effect"

const bytesPerUnit: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ["kB", 1_000],
  ["MB", 1_000_000],
  ["GB", 1_000_000_000],
  ["KiB", 1_024],
  ["MiB", 1_048_576],
  ["GiB", 1_073_741_824]
])

const read = (text: string): number => {
  const [, amount = "", unit = ""] = /^(\d{1,15})([A-Za-z]*)$/.exec(text) ?? []
  const bytes = bytesPerUnit.get(unit)
  return amount === "" || bytes === undefined ? Number.NaN : Number(amount) * bytes
}

/** Bytes: a whole number above 0, with or without a unit. */
export const SizeText = Schema.String.check(
  Schema.makeFilter((text: string) => Number.isSafeInteger(read(text)) && read(text) > 0, {
    message:
      "must be a whole number of bytes above 0, or of one of the units kB, MB, GB, KiB, MiB, GiB, such as 104857600 or 100MiB"
  })
).pipe(Schema.decodeTo(Schema.Finite, SchemaTransformation.transform({ decode: read, encode: String })))
