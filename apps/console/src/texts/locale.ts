/**
 * Notation of numbers and dates: that of the browser or of the chosen language, or a choice of its
 * own that this browser keeps.
 */
import { locale as textLocale } from "./en/language.ts"
import { chosenLanguage } from "./languageChoice.ts"

const setting = "solar-sites locale"

/** Choices of My account. */
export const locales = [
  "en-GB",
  "en-US",
  "en-IN",
  "da-DK",
  "de-CH",
  "de-DE",
  "es-ES",
  "fr-FR",
  "it-IT",
  "nl-NL",
  "pl-PL",
  "pt-PT",
  "sv-SE"
] as const

/** Null for the notation of the browser. */
export const storedLocale = (): string | null => {
  try {
    return locales.find((locale) => locale === localStorage.getItem(setting)) ?? null
  } catch {
    return null
  }
}

/** Takes effect when the page is loaded again. Changes nothing without storage. */
export const storeLocale = (locale: string | null): void => {
  try {
    if (locale === null) localStorage.removeItem(setting)
    else localStorage.setItem(setting, locale)
  } catch {}
}

/** Fields read these digits and years of this calendar only. */
export const withLatinDigits = (locale: string): string => {
  try {
    return new Intl.Locale(locale, { numberingSystem: "latn", calendar: "gregory" }).toString()
  } catch {
    return textLocale
  }
}

/**
 * The notation of the browser; of a chosen language, that which the browser names for it. Without a
 * page, as in tests of functions, it is that of the texts.
 */
export const defaultLocale = (): string => {
  if (!("document" in globalThis)) return textLocale
  if (chosenLanguage() === null) return navigator.language
  const [language] = textLocale.split("-")
  return navigator.languages.find((named) => named.split("-")[0] === language) ?? textLocale
}

export const currentLocale = (): string => storedLocale() ?? defaultLocale()
