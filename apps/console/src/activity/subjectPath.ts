/**
 * The page of the subject of an event.
 */
import type { Event } from "@solar-sites/http-node/client"
import { documentPath } from "../documents/documentPaths.ts"

/** Undefined for deleted subjects, and for those without a page. */
export const subjectPath = ({ siteId, subject, type }: Event): string | undefined => {
  if (type.endsWith(".deleted")) return undefined
  switch (subject.type) {
    case "site":
      return `/sites/${subject.id}`
    case "document":
      return siteId === null ? undefined : documentPath({ id: subject.id, siteId })
    case "portfolio":
      return `/portfolios/${subject.id}`
    case "user":
      return "/company/people"
    case "api_key":
      return "/company/api-keys"
    case "webhook":
      return "/company/webhooks"
    default:
      return undefined
  }
}
