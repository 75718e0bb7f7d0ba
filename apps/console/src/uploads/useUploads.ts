/**
 * The upload queue of this tab.
 */
import { useSyncExternalStore } from "react"
import { client } from "../api/client.ts"
import { onLeave } from "../api/queries.ts"
import { refreshDocuments } from "../documents/documentQueries.ts"
import { isUnderWay, type Upload } from "./Upload.ts"
import { UploadQueue } from "./UploadQueue.ts"
import { uploadsOfTab } from "./uploadsOfTab.ts"

// Many files arrive within a second; pages are read again once, and rarely while hundreds follow.
const refreshMillis = 1_000
const busyRefreshMillis = 5_000
const busyUploads = 20
const refreshing = new Set<string>()

const refreshSoon = (siteId: string): void => {
  if (refreshing.has(siteId)) return
  refreshing.add(siteId)
  const isBusy = uploadQueue.uploads().filter(isUnderWay).length > busyUploads
  setTimeout(
    () => {
      refreshing.delete(siteId)
      void refreshDocuments(siteId)
    },
    isBusy ? busyRefreshMillis : refreshMillis
  )
}

export const uploadQueue: UploadQueue = new UploadQueue(client, refreshSoon, undefined, uploadsOfTab)

onLeave(() => uploadQueue.clear())

export const isUploading = (): boolean => uploadQueue.uploads().some(isUnderWay)

// Leaving the page would stop uploads under way.
addEventListener("beforeunload", (event) => {
  if (isUploading()) event.preventDefault()
})

export const useUploads = (): ReadonlyArray<Upload> =>
  useSyncExternalStore(uploadsOfTab.subscribe, uploadsOfTab.uploads)
