/**
 * Recipes in the documentation: code blocks of the language `diff` that a test applies to a copy of
 * the workspace.
 */
import { blocksOf, readPage } from "./blocks.ts"

/** `before` stands in the file once, and becomes `after`. Without `before` the file is new. */
export interface Edit {
  readonly path: string
  readonly before: string
  readonly after: string
}

/**
 * `+++ path` begins the edits of a file, `@@` the next edit in it. A line after ` ` stays, after
 * `-` goes, after `+` is new.
 */
export const editsOf = (diff: string): ReadonlyArray<Edit> =>
  diff
    .split(/^\+\+\+ /m)
    .slice(1)
    .flatMap((file) => {
      const [path = "", ...lines] = file.trimEnd().split("\n")
      return lines
        .join("\n")
        .split(/^@@\n/m)
        .map((hunk) => {
          const kept = (mark: string) =>
            hunk
              .split("\n")
              .flatMap((line) => (line === "" || line.startsWith(mark) ? [] : [line.slice(1)]))
              .join("\n")
          return { path, before: kept("+"), after: kept("-") }
        })
    })

/** The edits of each block of a page. */
export const recipesOf = (page: string): ReadonlyArray<ReadonlyArray<Edit>> =>
  blocksOf(page, readPage(page)).flatMap(({ code, language }) => (language === "diff" ? [editsOf(code)] : []))

/** The text after the edit; throws when `before` does not stand there once. */
export const applyEdit = (text: string, { after, before, path }: Edit): string => {
  const [first = "", second, ...further] = `\n${text}`.split(`\n${before}\n`)
  if (before === "" || second === undefined || further.length > 0) {
    throw new Error(`${path} holds these lines of the recipe ${second === undefined ? "nowhere" : "twice"}:\n${before}`)
  }
  return `${first}\n${after}\n${second}`.slice(1)
}
