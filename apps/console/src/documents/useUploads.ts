/**
 * The one queue of this page, and what it holds for a site.
 */
import { useMemo, useSyncExternalStore } from "react"
import { client } from "../api/client.ts"
import { queryClient, sessionQuery } from "../api/queries.ts"
import { refreshDocuments } from "./documentQueries.ts"
import { isUnderWay, type Upload } from "./Upload.ts"
import { UploadQueue } from "./UploadQueue.ts"

export const uploadQueue = new UploadQueue(client, (siteId) => void refreshDocuments(siteId))

// Whoever logs in next has nothing to do with these files.
queryClient.getQueryCache().subscribe(({ query, type }) => {
  if (type === "updated" && query.queryKey[0] === sessionQuery.queryKey[0] && query.state.data === null) {
    uploadQueue.clear()
  }
})

// Whoever leaves the page would break off what is being sent.
addEventListener("beforeunload", (event) => {
  if (uploadQueue.uploads().some(isUnderWay)) event.preventDefault()
})

export const useUploads = (siteId: string): ReadonlyArray<Upload> => {
  const uploads = useSyncExternalStore(uploadQueue.subscribe, uploadQueue.uploads)
  return useMemo(() => uploads.filter(({ terms }) => terms.siteId === siteId), [uploads, siteId])
}
