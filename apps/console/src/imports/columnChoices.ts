/**
 * What the user chooses for each column of a file.
 */
import type { FileColumn, FileColumns, ImportOptions } from "../api/imports.ts"

/** By header: a member, `attributes.NAME`, `-` to leave the column out, or empty while undecided. */
export type Choices = ReadonlyMap<string, string>

export const attributePrefix = "attributes."
export const leftOut = "-"

const longestAttribute = 100

export const isAttribute = (target: string): boolean => target.startsWith(attributePrefix)

/** The cut may fall into the middle of a character. */
export const attributeOf = ({ header }: Pick<FileColumn, "header">): string =>
  `${attributePrefix}${header.slice(0, longestAttribute).toWellFormed()}`

/** Known columns keep their member. A suggestion is chosen once; members of the service are left out. */
export const firstChoices = ({ columns, members }: FileColumns): Choices => {
  const taken = new Set(columns.map(({ target }) => target))
  return new Map(
    columns.map(({ header, suggestion, target }) => {
      if (target !== null) return [header, members.includes(target) || isAttribute(target) ? target : leftOut]
      if (suggestion === null || taken.has(suggestion)) return [header, ""]
      taken.add(suggestion)
      return [header, suggestion]
    })
  )
}

/** True of a column without a member, and of an attribute without a name. */
export const isUndecided = (choice: string | undefined): boolean =>
  choice === undefined || choice === "" || choice === attributePrefix

/** For limited users the server needs to know before it reads the file. */
const placing = ["portfolio", "portfolioId"]

/** Whether a column names portfolios. */
export const namePortfolios = (mappings: ImportOptions["mappings"]): boolean =>
  mappings.some(({ target }) => placing.includes(target))

/** Other headers that the server reads as chosen need no mapping. */
export const mappingsOf = (columns: ReadonlyArray<FileColumn>, choices: Choices): ImportOptions["mappings"] =>
  columns.flatMap(({ header, target }) => {
    const chosen = choices.get(header) ?? leftOut
    return chosen === target && !placing.includes(chosen) ? [] : [{ column: header, target: chosen }]
  })
