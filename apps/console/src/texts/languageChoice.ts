/**
 * The choice of a language. The server sends the page in the chosen language, or in that of the
 * browser, so the choice is in a cookie.
 */
import { languages } from "./languages.ts"

const cookie = "solar_language"

/** Null for the language of the browser. */
export const chosenLanguage = (): string | null => {
  const pairs = "document" in globalThis ? document.cookie.split("; ") : []
  return languages.find((language) => pairs.includes(`${cookie}=${language}`)) ?? null
}

/** Takes effect when the page is loaded again: a page has the texts of one language. */
export const chooseLanguage = (language: string | null): void => {
  const life = language === null ? 0 : 400 * 86_400
  const secure = location.protocol === "https:" ? "; Secure" : ""
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is for secure contexts only.
  document.cookie = `${cookie}=${language ?? ""}; Path=/; Max-Age=${life}; SameSite=Lax${secure}`
}
