/** The texts of the mails by language, those of the digest and its page included. */

import { german } from "./de.ts"
import { english, type MailTexts } from "./en.ts"

const catalogues: ReadonlyArray<MailTexts> = [english, german]

export const mailLanguages: ReadonlyArray<string> = catalogues.map(({ language }) => language)

/** English without a catalogue of the language. */
export const mailTextsIn = (language: string): MailTexts =>
  catalogues.find((texts) => texts.language === language) ?? english
