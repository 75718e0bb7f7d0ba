/**
 * The document requirements. They are read when the page opens, and not again while they are edited.
 */
import type { DocumentRequirements } from "@solar-sites/http-node/client"
import { queryOptions } from "@tanstack/react-query"
import { client } from "../api/client.ts"
import { queryClient, readAgain } from "../api/queries.ts"

export const requirementsQuery = queryOptions({
  queryKey: ["document-requirements"],
  queryFn: ({ signal }) => client.requirements.get({ signal }),
  refetchOnMount: "always",
  refetchOnWindowFocus: false,
  refetchOnReconnect: false
})

export const rememberRequirements = (saved: DocumentRequirements): void => {
  queryClient.setQueryData(requirementsQuery.queryKey, saved)
  void readAgain(["coverage"])
}
