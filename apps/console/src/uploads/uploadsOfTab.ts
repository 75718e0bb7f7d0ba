/**
 * The list of uploads of this tab. It is apart from the queue, which is loaded when files are uploaded.
 */
import { useSyncExternalStore } from "react"
import { UploadStore } from "./UploadStore.ts"

export const uploadsOfTab = new UploadStore()

export const useHasUploads = (): boolean =>
  useSyncExternalStore(uploadsOfTab.subscribe, () => uploadsOfTab.uploads().length > 0)
