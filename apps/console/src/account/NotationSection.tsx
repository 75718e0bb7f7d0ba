/**
 * Notation of numbers and dates in this browser.
 */
import { useState } from "react"
import { Section } from "../shell/Section.tsx"
import { Select } from "../shell/Select.tsx"
import { accountTexts as texts } from "../texts/en/account.ts"
import { locale as textLocale } from "../texts/en/language.ts"
import { makeFormats } from "../texts/formats.ts"
import { chosenLanguage } from "../texts/languageChoice.ts"
import { defaultLocale, locales, storedLocale, storeLocale } from "../texts/locale.ts"

const ofBrowser = "browser"

const exampleOf = (locale: string): string => {
  const { formatDate, formatNumber } = makeFormats(locale)
  return texts.notationExample(formatNumber(1_234.5), formatDate(new Date().toISOString()))
}

export const NotationSection = () => {
  const [chosen, setChosen] = useState(storedLocale)
  const [names] = useState(() => new Intl.DisplayNames(textLocale, { type: "language", languageDisplay: "standard" }))
  const choices = [
    { value: ofBrowser, label: chosenLanguage() === null ? texts.notationOfBrowser : texts.notationOfLanguage },
    ...locales
      .map((locale) => ({ value: locale, label: names.of(locale) ?? locale }))
      .toSorted((a, b) => a.label.localeCompare(b.label))
  ]
  const choose = (value: string | null) => {
    const locale = value === ofBrowser ? null : value
    storeLocale(locale)
    setChosen(locale)
    // Formats are made once per page.
    location.reload()
  }
  return (
    <Section title={texts.notation}>
      <Select
        label={texts.notation}
        description={exampleOf(chosen ?? defaultLocale())}
        inputWrapperOrder={["label", "input", "description"]}
        data={choices}
        allowDeselect={false}
        value={chosen ?? ofBrowser}
        onChange={choose}
        maw={320}
      />
    </Section>
  )
}
