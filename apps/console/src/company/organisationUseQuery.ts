/**
 * What the organisation uses of the service.
 */
import { queryOptions } from "@tanstack/react-query"
import { ask } from "../api/ask.ts"

export const organisationUseQuery = queryOptions({
  queryKey: ["organisation-use"],
  queryFn: () => ask("GET /console/organisation/use")
})
