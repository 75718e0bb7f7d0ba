/**
 * What the server says, in the language of the page: a text by the code of a problem or fault, or a
 * function that finds the text for the server's sentence. Without one the server's sentence is shown.
 */
export type Said = string | ((sentence: string) => string | undefined)

export interface SaidByServer {
  readonly problems: Readonly<Record<string, Said>>
  readonly faults: Readonly<Record<string, Said>>
}

export interface Refusal {
  readonly code: string
  readonly detail: string
}

export const saidText = (texts: Readonly<Record<string, Said>>, { code, detail }: Refusal): string => {
  const said = texts[code]
  return (typeof said === "function" ? said(detail) : said) ?? detail
}
