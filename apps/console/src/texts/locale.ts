/**
 * Notation of numbers and dates: that of the browser, or of a choice that this browser keeps. Texts
 * stay in their language.
 */
import { locale as textLocale } from "./en/language.ts"

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

/** Without a page, as in tests of functions, the notation is British. */
export const currentLocale = (): string =>
  "document" in globalThis ? (storedLocale() ?? navigator.language) : textLocale
