/**
 * Ids in generated requests. They stand for resources that a run creates, so that the same seed
 * makes the same requests.
 */

export type Kind = "site" | "portfolio" | "document" | "webhook" | "delivery" | "foreign" | "absent"

const kinds: ReadonlyArray<Kind> = ["site", "portfolio", "document", "webhook", "delivery", "foreign", "absent"]

/** Resources of each kind that a run begins with. */
const resourcesPerKind = 3

/** A UUID that no run has. */
export const placeholder = (kind: Kind, index: number): string =>
  `f0f0f0f0-0000-4000-8000-0000000${kinds.indexOf(kind)}000${index}`

export const placeholdersOf = (kind: Kind): ReadonlyArray<string> =>
  Array.from({ length: resourcesPerKind }, (_, index) => placeholder(kind, index))

/** Ids of nothing in place of all placeholders. */
export const idsOfNothing = (): Map<string, string> =>
  new Map(kinds.flatMap(placeholdersOf).map((one) => [one, one.replace("-4000-", "-4001-")]))

/** The latest `nextCursor` of the run. */
export const cursorPlaceholder = "the-latest-cursor"

const pattern = /f0f0f0f0-0000-4000-8000-0000000\d000\d|the-latest-cursor/gi

/** The text with ids of the run, in the letter case of the placeholders. */
export const resolved = (text: string, ids: ReadonlyMap<string, string>): string =>
  text.replace(pattern, (found) => {
    const id = ids.get(found.toLowerCase()) ?? found
    return found === found.toUpperCase() ? id.toUpperCase() : id
  })
