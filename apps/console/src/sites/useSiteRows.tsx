/**
 * What the role of the user may do with rows of sites: select them, and open their menus.
 */
import type { Site } from "@solar-sites/http-node/client"
import type { Selection } from "../lists/useSelection.ts"
import { useCan, useCanMoveSites } from "../shell/session.ts"
import { siteTexts as texts } from "../texts/en/sites.ts"
import type { SelectedSite } from "./SelectedSite.ts"
import { SiteActions } from "./SiteActions.tsx"

// The same functions for every render: a row is rendered again when something in it has changed.
const labelOf = ({ siteName }: Site): string => texts.select(siteName)
const actionsOf = (site: Site) => <SiteActions site={site} />

export const useSiteRows = (selection: Selection<SelectedSite>) => {
  const canWrite = useCan("sites:write")
  const canMove = useCanMoveSites()
  return {
    selecting: canWrite || canMove ? { ...selection, labelOf, pageLabel: texts.selectPage } : undefined,
    actionsOf: canWrite ? actionsOf : undefined
  }
}
