/**
 * Names of browsers and systems in the `User-Agent` of a session.
 */

// The first match counts: most browsers name others too.
const browsers = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Headless)?Chrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"]
] as const

const systems = [
  [/\b(iPhone|iPad)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"]
] as const

const nameIn = (names: typeof browsers | typeof systems, userAgent: string): string | undefined =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1]

/** Such as `Firefox, Windows`; the text itself, shortened, where neither is known. */
export const deviceOf = (userAgent: string): string => {
  const found = [nameIn(browsers, userAgent), nameIn(systems, userAgent)].filter((name) => name !== undefined)
  return found.length === 0 ? userAgent.slice(0, 40) : found.join(", ")
}
