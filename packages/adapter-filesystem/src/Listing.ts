/** Lists the files of one organisation by key, in pages. Reads only the folders of the page. */
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import {
  type ListedObject,
  type OrganisationId,
  type Page,
  parseStorageKey,
  type StorageKey,
  storageKey
} from "@solar-sites/core"
import { DateTime, Option } from "effect"
import { unlessAbsent } from "./FileFailure.ts"
import { type Folder, modifiedAt } from "./Folder.ts"

const namesIn = async (path: string): Promise<ReadonlyArray<string>> => {
  try {
    return (await readdir(path)).sort()
  } catch (error) {
    unlessAbsent(error)
    return []
  }
}

/** Keys in ascending order. Other names in these folders are skipped. */
async function* keysAfter(
  folder: Folder,
  organisationId: OrganisationId,
  after: StorageKey | null
): AsyncGenerator<StorageKey> {
  const organisation = join(folder.objects, organisationId)
  const firstSite = after?.split("/")[1] ?? ""
  for (const siteId of await namesIn(organisation)) {
    if (siteId < firstSite) continue
    for (const documentId of await namesIn(join(organisation, siteId))) {
      const parts = Option.getOrNull(parseStorageKey(`${organisationId}/${siteId}/${documentId}`))
      if (parts === null) continue
      const key = storageKey(parts)
      if (after === null || key > after) yield key
    }
  }
}

export const listPage = async (
  folder: Folder,
  organisationId: OrganisationId,
  { after, limit }: { readonly after: StorageKey | null; readonly limit: number }
): Promise<Page<ListedObject>> => {
  const items: Array<ListedObject> = []
  for await (const key of keysAfter(folder, organisationId, after)) {
    if (items.length === limit) return { items, hasMore: true }
    const parts = Option.getOrNull(parseStorageKey(key))
    const modified = parts && (await modifiedAt(folder, parts))
    // The file may be deleted while it is listed.
    if (modified) items.push({ key, modifiedAt: DateTime.fromDateUnsafe(modified) })
  }
  return { items, hasMore: false }
}
