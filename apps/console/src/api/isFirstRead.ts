/**
 * Whether the first answer to a query is on its way. Ends with a failure too, which may be repeated for long: parts of a
 * page that appear together do not wait for it.
 */
import type { UseQueryResult } from "@tanstack/react-query"

export const isFirstRead = ({ failureCount, isPending }: Pick<UseQueryResult, "failureCount" | "isPending">): boolean =>
  isPending && failureCount === 0
