import { expect, it } from "vitest"
import { languageOf } from "../../src/console/Language.ts"

const known = ["en", "de"]

it.each([
  ["de-DE,de;q=0.9,en;q=0.8", undefined, "de"],
  ["en-GB,en;q=0.9,de;q=0.8", undefined, "en"],
  ["fr-FR,fr;q=0.9,de;q=0.5,en;q=0.7", undefined, "en"],
  ["fr, DE-at", undefined, "de"],
  ["de;q=0, fr", undefined, "en"],
  ["de;q=x", undefined, "en"],
  ["*", undefined, "en"],
  ["", undefined, "en"],
  [undefined, undefined, "en"],
  // The choice of the page counts more than the browser.
  ["en", "solar_language=de", "de"],
  ["de", "a=b; solar_language=en; c=d", "en"],
  // Unknown ones and others of a similar name do not.
  ["de", "solar_language=xx", "de"],
  ["en", "xsolar_language=de; solar_language=; solar_languages=de", "en"],
  ["en", "solar_language=../de", "en"]
])("Accept-Language %j with the cookie %j is %s", (accepted, cookie, language) =>
  expect(languageOf({ "accept-language": accepted, cookie }, known, "en")).toBe(language)
)

it.each([
  [undefined, "de"],
  ["fr-FR, *;q=0.1", "de"],
  ["en", "en"]
])("Accept-Language %j is %s where the default is de", (accepted, language) =>
  expect(languageOf({ "accept-language": accepted }, known, "de")).toBe(language)
)
