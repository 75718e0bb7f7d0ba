/**
 * The documents of a site.
 */
import { DocumentsSection } from "../documents/DocumentsSection.tsx"
import { useSite } from "./SitePage.tsx"

export const SiteDocuments = () => <DocumentsSection siteId={useSite().id} />
