/**
 * The upload queue of this tab, and its uploads for a site.
 */
import { useMemo, useSyncExternalStore } from "react"
import { client } from "../api/client.ts"
import { onLeave } from "../api/queries.ts"
import { refreshDocuments } from "./documentQueries.ts"
import { isUnderWay, type Upload } from "./Upload.ts"
import { UploadQueue } from "./UploadQueue.ts"

export const uploadQueue = new UploadQueue(client, (siteId) => void refreshDocuments(siteId))

onLeave(() => uploadQueue.clear())

// Leaving the page would stop uploads under way.
addEventListener("beforeunload", (event) => {
  if (uploadQueue.uploads().some(isUnderWay)) event.preventDefault()
})

export const useUploads = (siteId: string): ReadonlyArray<Upload> => {
  const uploads = useSyncExternalStore(uploadQueue.subscribe, uploadQueue.uploads)
  return useMemo(() => uploads.filter(({ terms }) => terms.siteId === siteId), [uploads, siteId])
}
