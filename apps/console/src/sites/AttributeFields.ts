/**
 * Attributes of a site as rows of the form, each with the type of its value.
 */
import type { Site } from "@solar-sites/http-node/client"
import { siteFormTexts as texts } from "../texts/en/siteForm.ts"
import { editableNumber } from "../texts/formats.ts"
import { readNumber } from "../texts/numbers.ts"
import { numberFault } from "./numberFault.ts"

export const attributeKinds = ["text", "number", "boolean", "null"] as const
type AttributeKind = (typeof attributeKinds)[number]

/** `value` is the text of its input. */
export interface AttributeField {
  readonly name: string
  readonly kind: AttributeKind
  readonly value: string
}

type Attributes = Site["attributes"]
type AttributeValue = Attributes[string]

const fieldOf = (name: string, value: AttributeValue): AttributeField => {
  if (value === null) return { name, kind: "null", value: "" }
  if (typeof value === "number") return { name, kind: "number", value: editableNumber(value) }
  return { name, kind: typeof value === "string" ? "text" : "boolean", value: String(value) }
}

const attributeValueOf = ({ kind, value }: AttributeField): AttributeValue => {
  if (kind === "number") return readNumber(value)
  if (kind === "boolean") return value === "true"
  return kind === "null" ? null : value
}

export const attributeFieldsOf = (attributes: Attributes): ReadonlyArray<AttributeField> =>
  Object.entries(attributes).map(([name, value]) => fieldOf(name, value))

export const attributesOf = (fields: ReadonlyArray<AttributeField>): Attributes =>
  Object.fromEntries(fields.map((field) => [field.name, attributeValueOf(field)]))

/** The first fault that the server cannot see in the sent object; null without one. */
export const attributeFault = (fields: ReadonlyArray<AttributeField>): string | null => {
  const names = fields.map(({ name }) => name)
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) return texts.attributeTwice(repeated)
  const faults = fields.flatMap(({ kind, name, value }) => {
    const fault = kind !== "number" ? null : value.trim() === "" ? texts.notANumber : numberFault(value)
    return fault === null ? [] : [texts.attributeNumber(name, fault)]
  })
  return faults[0] ?? null
}
