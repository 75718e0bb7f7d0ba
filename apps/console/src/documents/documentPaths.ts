/**
 * Addresses of documents in the console.
 */
import type { Document } from "@solar-sites/http-node/client"

type Located = Pick<Document, "id" | "siteId">

/** The document on the page of its site. */
export const documentPath = ({ id, siteId }: Located): string => `/sites/${siteId}/documents?document=${id}`

/** The dialog that uploads a new revision. */
export const revisePath = ({ id, siteId }: Located): string => `/sites/${siteId}/documents?revise=${id}`
