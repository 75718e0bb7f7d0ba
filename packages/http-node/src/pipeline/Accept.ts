/**
 * Content negotiation between JSON and CSV (RFC 9110, section 12.5.1). Parameters of media ranges
 * other than `q` are ignored.
 */

const offered = ["application/json", "text/csv"] as const

export type ListMediaType = (typeof offered)[number]

interface Range {
  readonly name: string
  readonly quality: number
}

const rangeOf = (text: string): Range => {
  const [name = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, "") ?? "1"
  // Java sends `q=.2`. An invalid weight makes its range match nothing that is acceptable.
  return { name, quality: /^(?:0?\.\d+|0\.?|1(?:\.0*)?)$/.test(weight) ? Number(weight) : 0 }
}

/** The most specific range that matches decides. A smaller `breadth` is more specific. */
const preferenceFor = (ranges: ReadonlyArray<Range>, mediaType: ListMediaType) => {
  const [type] = mediaType.split("/")
  for (const [breadth, name] of [mediaType, `${type}/*`, "*/*"].entries()) {
    const order = ranges.findIndex((range) => range.name === name)
    const quality = ranges[order]?.quality
    if (quality !== undefined) return quality === 0 ? [] : [{ mediaType, quality, breadth, order }]
  }
  return []
}

/**
 * The preferred media type: by quality, then by how specific the header names it, then by its order,
 * then JSON. `undefined` when none is acceptable. Without the header JSON.
 */
export const negotiate = (accept: string | undefined): ListMediaType | undefined => {
  if (accept === undefined || accept === "*/*" || accept === "application/json") return "application/json"
  if (accept.trim() === "") return "application/json"
  const ranges = accept.split(",").map(rangeOf)
  const [preferred] = offered
    .flatMap((mediaType) => preferenceFor(ranges, mediaType))
    .sort((a, b) => b.quality - a.quality || a.breadth - b.breadth || a.order - b.order)
  return preferred?.mediaType
}
