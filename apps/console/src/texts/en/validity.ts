/** News about the end of the validity of documents. */
import type { EndingState } from "../../validity/newEndings.ts"
import { formatNumber } from "../formats.ts"

const documentsOf = (count: number, isMore: boolean): string => {
  if (isMore) return `More than ${formatNumber(count)} documents`
  return count === 1 ? "1 document" : `${formatNumber(count)} documents`
}

const sentences: Readonly<Record<EndingState, (count: number, isMore: boolean) => string>> = {
  expired: (count, isMore) => `${documentsOf(count, isMore)} ${count === 1 ? "has" : "have"} expired`,
  expiring: (count, isMore) => `${documentsOf(count, isMore)} ${count === 1 ? "expires" : "expire"} soon`
}

export const validityTexts = {
  title: "Since your last visit",
  bell: (hasNews: boolean) => (hasNews ? "Expiry of documents: there is news" : "Expiry of documents: no news"),
  sentences,
  nothing: "Nothing has expired or begun to expire."
}
