/**
 * Language of the console in this browser.
 */
import { Section } from "../shell/Section.tsx"
import { Select } from "../shell/Select.tsx"
import { accountTexts as texts } from "../texts/en/account.ts"
import { chooseLanguage, chosenLanguage } from "../texts/languageChoice.ts"
import { languages } from "../texts/languages.ts"

const ofBrowser = "browser"

/** A language has its own name in each language. */
const nameOf = (language: string): string =>
  new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language

export const LanguageSection = () => (
  <Section title={texts.language}>
    <Select
      label={texts.language}
      description={texts.languageHint}
      inputWrapperOrder={["label", "input", "description"]}
      data={[
        { value: ofBrowser, label: texts.languageOfBrowser },
        ...languages.map((language) => ({ value: language, label: nameOf(language) }))
      ]}
      allowDeselect={false}
      value={chosenLanguage() ?? ofBrowser}
      onChange={(value) => {
        chooseLanguage(value === ofBrowser ? null : value)
        location.reload()
      }}
      maw={320}
    />
  </Section>
)
