/**
 * Finds comments in sources that use a pronoun where the subject has a name, and comments without a subject. As a
 * program it prints one sentence per fault.
 */
import { type Files, report } from "./repository.ts"
import { commentsOf, isTypeScript } from "./sources.ts"

const pronouns = /\b(nobody|somebody|anybody|whoever|whom|whose|whatever|what\s+(?:\*\s+)?is)\b/gi

/** Beginnings of comments that leave the noun to the reader, such as "Of the session." */
const fragment = /^\*?\s*(?:\*\s+)?(Of|Those|That of)\s/

export const faultsOf = (files: Files): ReadonlyArray<string> =>
  [...files]
    .filter(([path]) => isTypeScript(path) && path.includes("/src/"))
    .flatMap(([path, text]) =>
      commentsOf(path, text).flatMap((comment) => {
        const begin = fragment.exec(comment.text)?.[1]
        const fragments =
          begin === undefined
            ? []
            : [`${path}:${comment.line} begins a comment with "${begin}": begin with its subject`]
        const named = [...comment.text.matchAll(pronouns)].map((found) => {
          const line = comment.line + comment.text.slice(0, found.index).split("\n").length - 1
          return `${path}:${line} says "${found[0].replace(/\s+(\*\s+)?/, " ")}" in a comment: name the thing instead`
        })
        return [...fragments, ...named]
      })
    )

if (import.meta.main) report(faultsOf)
