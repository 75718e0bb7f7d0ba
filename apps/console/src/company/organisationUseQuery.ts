/**
 * What the organisation uses of the service.
 */
import { queryOptions } from "@tanstack/react-query"
import { getUse } from "../api/organisation.ts"

export const organisationUseQuery = queryOptions({ queryKey: ["organisation-use"], queryFn: getUse })
