/**
 * The form of a new key and its validation.
 */
import { useForm } from "@mantine/form"
import type { ApiScope } from "@solar-sites/core/model"
import { useQuery } from "@tanstack/react-query"
import { fieldErrorsOf } from "../api/failures.ts"
import { configurationQuery } from "../api/queries.ts"
import { limitFault, type PortfolioLimit } from "../portfolios/portfolioLimit.ts"
import { apiKeyTexts } from "../texts/en/apiKeys.ts"
import { readNumber } from "../texts/numbers.ts"

const texts = apiKeyTexts.createDialog

/** The lives to choose from, in days. */
export const lives: ReadonlyArray<number> = [30, 90, 365]
export const otherLife = "other"

export interface NewKeyValues {
  readonly name: string
  /** One of `lives` as text, or `otherLife`. */
  readonly life: string
  readonly days: string
  readonly access: Access
  /** The chosen scopes, of the access `chosen`. */
  readonly scopes: ReadonlyArray<ApiScope>
  readonly portfolioIds: PortfolioLimit
}

export const accesses = ["all", "read", "chosen"] as const
type Access = (typeof accesses)[number]

/** The scopes among `all` for a new key; undefined for all. */
export const scopesOf = (
  { access, scopes }: NewKeyValues,
  all: ReadonlyArray<ApiScope>
): ReadonlyArray<ApiScope> | undefined =>
  access === "all" ? undefined : access === "read" ? all.filter((scope) => scope.endsWith(":read")) : scopes

export const daysOf = ({ days, life }: NewKeyValues): number => readNumber(life === otherLife ? days : life)

/** Before the configuration is there the server judges alone. */
const lifeFault = (days: number, longest: number | undefined): string | null =>
  longest === undefined || (Number.isInteger(days) && days >= 1 && days <= longest) ? null : texts.daysWrong(longest)

export const useCreateKeyForm = () => {
  const { data } = useQuery(configurationQuery)
  const form = useForm<NewKeyValues>({
    initialValues: { name: "", life: "365", days: "180", access: "all", scopes: [], portfolioIds: null },
    validate: {
      name: (name) => (name.trim() === "" ? texts.nameMissing : null),
      days: (_, values) => lifeFault(daysOf(values), data?.accounts.maximumApiKeyDays),
      scopes: (scopes, { access }) => (access === "chosen" && scopes.length === 0 ? texts.scopesMissing : null),
      portfolioIds: limitFault
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
