/**
 * The form of a site: sends it once, shows each fault at its field, and detects
 * concurrent changes.
 */
import { useForm } from "@mantine/form"
import { type Site, SolarSitesProblem } from "@solar-sites/http-node/client"
import { useState } from "react"
import { client } from "../api/client.ts"
import { fieldErrorsOf, isProblem, problemText } from "../api/failures.ts"
import { limitOf, useSession } from "../shell/session.ts"
import { useAction } from "../shell/useAction.ts"
import { siteFormTexts as texts } from "../texts/en/siteForm.ts"
import { asSentence } from "../texts/formats.ts"
import { attributeFault } from "./AttributeFields.ts"
import { numberFault } from "./numberFault.ts"
import {
  changesBetween,
  emptyFields,
  fieldAt,
  fieldsOf,
  firstOf,
  newSite,
  numberFields,
  type SiteFields
} from "./SiteFields.ts"
import { rememberSites } from "./siteQueries.ts"
import { useIdempotencyKey } from "./useIdempotencyKey.ts"

const isShownAtFields = (error: unknown): boolean =>
  isProblem(error, "portfolio_not_found") ||
  isProblem(error, "external_id_taken") ||
  (error instanceof SolarSitesProblem &&
    error.errors.length > 0 &&
    error.errors.every(({ pointer }) => fieldAt(pointer) !== undefined))

/** A fault of a tag or an attribute is shown at the field, with the place of the fault. */
const errorAt = (name: string, detail: string): readonly [string, string] => {
  const field = fieldAt(`/${name.replaceAll(".", "/")}`) ?? name
  return [field, field === name ? asSentence(detail) : `${name.slice(field.length + 1)}: ${detail}`]
}

/** The faults by field; a missing portfolio and a taken external id are faults too. */
const errorsByField = (error: unknown): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(fieldErrorsOf(error)).map(([name, detail]) => errorAt(name, detail))),
  ...(isProblem(error, "portfolio_not_found") ? { portfolioId: problemText(error) } : {}),
  ...(isProblem(error, "external_id_taken") ? { externalId: problemText(error) } : {})
})

const pick = (fields: SiteFields, names: ReadonlyArray<string>): Partial<SiteFields> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))

export const useSiteForm = (site: Site | undefined, onSaved: (site: Site) => void) => {
  // A limited user keeps sites in portfolios, and has no choice among one.
  const own = limitOf(useSession())
  const [only = null, ...others] = own ?? []
  // The version that the form was filled from.
  const [base, setBase] = useState(site)
  const [theirs, setTheirs] = useState<Site>()
  const form = useForm<SiteFields>({
    initialValues:
      site === undefined ? { ...emptyFields, portfolioId: others.length === 0 ? only : null } : fieldsOf(site),
    validate: {
      portfolioId: (portfolioId) => (own !== null && portfolioId === null ? texts.portfolioMissing : null),
      ...Object.fromEntries(
        Object.entries(numberFields).map(([name, magnitude]) => [name, (text: string) => numberFault(text, magnitude)])
      ),
      attributes: attributeFault
    }
  })
  const keyFor = useIdempotencyKey()
  const userId = base?.siteManager?.userId ?? null

  const send = (fields: SiteFields): Promise<Site> => {
    if (base !== undefined) {
      return client.sites.update(base.id, changesBetween(fieldsOf(base), fields, userId), {
        expectedVersion: base.version
      })
    }
    const body = newSite(fields)
    return client.sites.create(body, { idempotencyKey: keyFor(body) })
  }

  const focusFirst = (names: ReadonlyArray<string>): void => {
    const first = firstOf(names)
    if (first !== undefined) form.getInputNode(first)?.focus()
  }

  const refuse = async (error: unknown): Promise<void> => {
    const errors = errorsByField(error)
    form.setErrors(errors)
    focusFirst(Object.keys(errors))
    if (base !== undefined && isProblem(error, "precondition_failed")) setTheirs(await client.sites.get(base.id))
  }

  const save = useAction(async (fields: SiteFields) => {
    try {
      const saved = await send(fields)
      rememberSites([saved])
      onSaved(saved)
    } catch (error) {
      await refuse(error)
      throw error
    }
  })

  const goOnFrom = (newest: Site, fields: SiteFields) => {
    form.setValues(fields)
    form.clearErrors()
    setBase(newest)
    setTheirs(undefined)
    save.reset()
  }

  return {
    form,
    base,
    isSaving: save.busy,
    /** An error that is shown at no field. */
    error: theirs !== undefined || isShownAtFields(save.error) ? null : save.error,
    /** The newest version of the site after a conflict. */
    theirs,
    submit: form.onSubmit(save.run, (errors) => focusFirst(Object.keys(errors))),
    /** Applies the changes of this form to the newest version. */
    keepMine: () => {
      if (base === undefined || theirs === undefined) return
      const mine = form.getValues()
      const names = Object.keys(changesBetween(fieldsOf(base), mine, userId))
      goOnFrom(theirs, { ...fieldsOf(theirs), ...pick(mine, names) })
    },
    /** Discards the changes of this form. */
    takeTheirs: () => theirs !== undefined && goOnFrom(theirs, fieldsOf(theirs))
  }
}
