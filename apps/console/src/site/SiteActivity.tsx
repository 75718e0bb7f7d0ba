/**
 * Changes of a site and its documents.
 */
import { ActivityList } from "../activity/ActivityList.tsx"
import { useSite } from "./SitePage.tsx"

export const SiteActivity = () => <ActivityList filter={{ siteId: useSite().id }} />
