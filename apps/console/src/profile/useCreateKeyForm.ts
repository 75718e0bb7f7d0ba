/**
 * The form of a new key and its validation.
 */
import { useForm } from "@mantine/form"
import { fieldErrorsOf } from "../api/failures.ts"
import { apiKeyTexts } from "../texts/apiKeys.ts"
import { readNumber } from "../texts/formats.ts"

const texts = apiKeyTexts.createDialog

/** The lives to choose from, in days. */
export const lives: ReadonlyArray<number> = [30, 90, 365]
export const otherLife = "other"

const longestLife = 3_650

export interface NewKeyValues {
  readonly name: string
  /** One of `lives` as text, or `otherLife`. */
  readonly life: string
  readonly days: string
}

export const daysOf = ({ days, life }: NewKeyValues): number => readNumber(life === otherLife ? days : life)

const isLife = (days: number): boolean => Number.isInteger(days) && days >= 1 && days <= longestLife

export const useCreateKeyForm = () => {
  const form = useForm<NewKeyValues>({
    initialValues: { name: "", life: "365", days: "180" },
    validate: {
      name: (name) => (name.trim() === "" ? texts.nameMissing : null),
      days: (_, values) => (isLife(daysOf(values)) ? null : texts.daysWrong)
    }
  })
  /** Shows faults of the server at their fields; true when there was one. */
  const takeFaults = (error: unknown): boolean => {
    const { expiresInDays, ...faults } = fieldErrorsOf(error)
    if (expiresInDays !== undefined) form.setFieldValue("life", otherLife)
    const errors = expiresInDays === undefined ? faults : { ...faults, days: expiresInDays }
    form.setErrors(errors)
    return Object.keys(errors).length > 0
  }
  return { ...form, takeFaults }
}
