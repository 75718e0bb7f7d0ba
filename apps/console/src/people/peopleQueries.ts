/**
 * The people, their open invitations and the settings of the organisation.
 */
import { queryOptions } from "@tanstack/react-query"
import { ask } from "../api/ask.ts"
import { readAgain } from "../api/queries.ts"

export const peopleQuery = queryOptions({
  queryKey: ["people"],
  queryFn: async () => (await ask("GET /console/users")).data
})

export const invitationsQuery = queryOptions({
  queryKey: ["invitations"],
  queryFn: async () => (await ask("GET /console/invitations")).data
})

export const organisationQuery = queryOptions({
  queryKey: ["organisation"],
  queryFn: () => ask("GET /console/organisation")
})

/** People and invitations: an accepted invitation is a person. */
export const refreshPeople = (): Promise<void> => readAgain(peopleQuery.queryKey, invitationsQuery.queryKey)
