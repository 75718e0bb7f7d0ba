/**
 * Negotiation of content codings (RFC 9110, section 12.5.3).
 */

export type Coding = "br" | "gzip"

// Brotli comes first: at its lowest quality it is faster and smaller than gzip.
const offered: ReadonlyArray<Coding> = ["br", "gzip"]

const qualityOf = (parameters: ReadonlyArray<string>): number => {
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, "") ?? "1"
  // An invalid weight is that of a coding that is not acceptable.
  return /^(?:0?\.\d+|0\.?|1(?:\.0*)?)$/.test(weight) ? Number(weight) : 0
}

const qualitiesOf = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header.split(",").map((part) => {
      const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase())
      return [name === "x-gzip" ? "gzip" : name, qualityOf(parameters)]
    })
  )

/**
 * The coding that the header prefers; `undefined` for none. `identity` without a weight of its own
 * is less preferred than every acceptable coding.
 */
export const codingFor = (header: string | undefined): Coding | undefined => {
  if (header === undefined || header === "") return undefined
  const qualities = qualitiesOf(header)
  const rest = qualities.get("*") ?? 0
  let best: Coding | undefined
  let quality = qualities.get("identity") ?? 0
  for (const coding of offered) {
    const own = qualities.get(coding) ?? rest
    if (own === 0 || own < quality || (best !== undefined && own === quality)) continue
    best = coding
    quality = own
  }
  return best
}
