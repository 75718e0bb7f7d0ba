/**
 * Path of a stored file. It consists of ids only, so that it needs no encoding and allows no
 * traversal (specification, section 2).
 */
import { Option, Schema } from "effect"
import { OrganisationId } from "../organisations/Organisation.ts"

const id = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
const pattern = new RegExp(`^${id}/${id}/${id}$`)

/** `{organisationId}/{siteId}/{documentId}`, in lower case. */
export const StorageKey = Schema.String.check(
  Schema.isPattern(pattern, { message: "must be a storage path", faultCode: "invalid_value" })
).pipe(Schema.brand("StorageKey"))
export type StorageKey = typeof StorageKey.Type

/** The ids in a key. */
export interface StorageKeyParts {
  readonly organisationId: OrganisationId
  readonly siteId: string
  readonly documentId: string
}

export const storageKey = ({ documentId, organisationId, siteId }: StorageKeyParts): StorageKey =>
  StorageKey.make(`${organisationId}/${siteId}/${documentId}`)

/** Parses a path; none when it is not a storage key. */
export const parseStorageKey = (path: string): Option.Option<StorageKeyParts> => {
  const [organisationId = "", siteId = "", documentId = ""] = path.split("/")
  return pattern.test(path)
    ? Option.some({ organisationId: OrganisationId.make(organisationId), siteId, documentId })
    : Option.none()
}

/** The storage key at the end of the path of a URL, as in signed addresses; none when there is none. */
export const storageKeyIn = (address: string): Option.Option<StorageKey> => {
  if (!URL.canParse(address)) return Option.none()
  const key = new URL(address).pathname.split("/").slice(-3).join("/")
  return pattern.test(key) ? Option.some(StorageKey.make(key)) : Option.none()
}
