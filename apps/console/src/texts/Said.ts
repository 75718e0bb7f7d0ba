/**
 * What the server says, in the language of the page: a text by the code of a problem or fault, or a
 * function that finds the text for the server's sentence. Without one the server's sentence is shown.
 */
import { formatBytes } from "./formats.ts"

export type Said = string | ((sentence: string) => string | undefined)

export interface SaidByServer {
  readonly problems: Readonly<Record<string, Said>>
  readonly faults: Readonly<Record<string, Said>>
  /** Why a document has failed, by words of the server's reason. The sizes are those of the reason, in its order. */
  readonly reasons: Readonly<Record<string, (first: string, second: string) => string>>
}

export interface Refusal {
  readonly code: string
  readonly detail: string
}

export const saidText = (texts: Readonly<Record<string, Said>>, { code, detail }: Refusal): string => {
  const said = texts[code]
  return (typeof said === "function" ? said(detail) : said) ?? detail
}

/** The words of a reviewer, or those of the server in the language of the page. */
export const saidReason = (texts: SaidByServer["reasons"], reason: string): string => {
  const numbers = reason.split(" ").filter((word) => /^\d+$/.test(word))
  const [first = "", second = ""] = numbers.map((size) => formatBytes(Number(size)))
  return Object.entries(texts).find(([words]) => reason.includes(words))?.[1](first, second) ?? reason
}
