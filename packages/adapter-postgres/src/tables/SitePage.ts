/**
 * Pages of sites as Postgres sends them, with characters between the values that
 * no JSON text holds (it escapes all control characters). So they can be told as
 * JSON without being read, and read when somebody wants the sites.
 */
import { instantText, type OrganisationId, type Page, type Site, withJson } from "@solar-sites/core"
import { inOrder, type SiteRow, siteValues, toSite } from "./SiteRow.ts"

// ASCII's own separators, of values and of rows.
const betweenValues = "\x1f"
const betweenRows = "\x1e"

/** All rows of `from` as one text. */
export const siteTexts = (from: string): string => `string_agg(concat_ws(E'\\x1f', ${siteValues(from)}), E'\\x1e')`

const instant = (seconds: string | undefined): string => instantText(Math.round(Number(seconds) * 1_000))

// So many characters hold no more digits than a number of JavaScript keeps.
const exactly = 15

/** As JavaScript writes it. Postgres keeps zeros at the end, and has exponents elsewhere and a negative zero. */
const number = (text: string | undefined): string | undefined => {
  if (text === undefined || text === "null") return text
  const isPlain =
    text.length <= exactly &&
    text !== "-0" &&
    !text.includes("e") &&
    !text.startsWith("0.000000") &&
    !(text.endsWith("0") && text.includes("."))
  return isPlain ? text : JSON.stringify(Number(text))
}

const manager = (value: string | undefined): string =>
  value === undefined || value === "null" ? "null" : JSON.stringify(inOrder(JSON.parse(value) as Site["siteManager"]))

/**
 * The encoded form of a site, as `toSite` and the model would write it. Written
 * out, in the order of the columns, since a loop over them takes a sixth longer.
 */
const toText =
  (organisationId: OrganisationId) =>
  (row: string): string => {
    const [
      id,
      siteName,
      capacity,
      unit,
      address,
      latitude,
      longitude,
      portfolioId,
      siteManager,
      coverImageUrl,
      capacityKw,
      createdAt,
      updatedAt,
      version
    ] = row.split(betweenValues)
    const created = instant(createdAt)
    const updated = updatedAt === createdAt ? created : instant(updatedAt)
    return (
      `{"id":${id},"organisationId":"${organisationId}","siteName":${siteName},"capacity":${number(capacity)},"unit":${unit},` +
      `"address":${address},"latitude":${number(latitude)},"longitude":${number(longitude)},` +
      `"portfolioId":${portfolioId},"siteManager":${manager(siteManager)},"coverImageUrl":${coverImageUrl},` +
      `"capacityKw":${number(capacityKw)},"createdAt":"${created}","updatedAt":"${updated}","version":${version}}`
    )
  }

/** How many values stand behind the cover image. */
const behindCover = 4

/** An uploaded cover is stored under its key, and shown by a signed address. */
const isShownAsStored = (row: string): boolean => {
  let separator = row.length
  for (let values = 0; values <= behindCover; values++) separator = row.lastIndexOf(betweenValues, separator - 1)
  return row.startsWith("null", separator + 1) || row.startsWith('"https:', separator + 1)
}

const toRows = (texts: ReadonlyArray<string>): ReadonlyArray<SiteRow> =>
  texts.length === 0 ? [] : JSON.parse(`[[${texts.join("],[").replaceAll(betweenValues, ",")}]]`)

/** The first `limit` sites of a text. */
export const sitePage = (organisationId: OrganisationId, text: string | null, limit: number): Page<Site> => {
  const rows = text === null ? [] : text.split(betweenRows)
  const texts = rows.slice(0, limit)
  let items: ReadonlyArray<Site> | undefined
  const page: Page<Site> = {
    get items() {
      items ??= toRows(texts).map(toSite(organisationId))
      return items
    },
    hasMore: rows.length > limit
  }
  if (!texts.every(isShownAsStored)) return page
  const lastId = texts.at(-1)?.slice(1, 37) ?? null
  return withJson(page, { texts: () => texts.map(toText(organisationId)), lastId })
}
