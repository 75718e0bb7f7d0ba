/** Language of a request: of its page, and of the mails that it causes. */
import { Context } from "effect"

type Headers = Readonly<Record<string, string | undefined>>

/** Default of `DEFAULT_LANGUAGE`. The console is always built in it. */
export const fallbackLanguage = "en"

/** Language of the request that runs, for mails. */
export const RequestLanguage = Context.Reference<string>("@solar-sites/reference-server/RequestLanguage", {
  defaultValue: () => fallbackLanguage
})

/** Cookie of the choice under My account, which the page itself sets. It holds nothing else. */
const choice = /(?:^|;\s*)solar_language=([a-z]+)(?=\s*(?:;|$))/

/** The languages of `Accept-Language`, the preferred one first, without their regions. */
const acceptedIn = (header: string): ReadonlyArray<string> =>
  header
    .slice(0, 1_000)
    .split(",")
    .map((part) => {
      const [range = "", quality = ""] = part.split(";").map((text) => text.trim().toLowerCase())
      return { language: range.split("-")[0] ?? "", weight: quality.startsWith("q=") ? Number(quality.slice(2)) : 1 }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ language }) => language)

/** The chosen language, else the first accepted one of those that are known, else `otherwise`. */
export const languageOf = (
  { "accept-language": accepted = "", cookie = "" }: Headers,
  known: ReadonlyArray<string>,
  otherwise: string
): string => {
  const chosen = choice.exec(cookie)?.[1]
  return [chosen, ...acceptedIn(accepted)].find((language) => known.includes(language ?? "")) ?? otherwise
}
