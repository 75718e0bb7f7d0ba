/**
 * The company profile: its tabs, and the one that is open.
 */
import { Outlet, useLocation } from "react-router"
import { isManager } from "../api/people.ts"
import { Page } from "../shell/Page.tsx"
import { useCan, useSession } from "../shell/session.ts"
import { TabLinks } from "../shell/TabLinks.tsx"
import { activityTexts } from "../texts/activity.ts"
import { apiKeyTexts } from "../texts/apiKeys.ts"
import { companyTexts as texts } from "../texts/company.ts"
import { peopleTexts } from "../texts/people.ts"
import { requirementTexts } from "../texts/requirements.ts"
import { webhookTexts } from "../texts/webhooks.ts"

const path = "/company"

export const CompanyPage = () => {
  const { pathname } = useLocation()
  const { user } = useSession()
  const canReadWebhooks = useCan("webhooks:read")
  const canReadRequirements = useCan("requirements:read")
  const canReadEvents = useCan("events:read")
  const tabs = [
    { to: path, label: texts.overview },
    { to: `${path}/people`, label: peopleTexts.title },
    ...(isManager(user.role) ? [{ to: `${path}/api-keys`, label: apiKeyTexts.title }] : []),
    ...(canReadWebhooks ? [{ to: `${path}/webhooks`, label: webhookTexts.title }] : []),
    ...(canReadRequirements ? [{ to: `${path}/requirements`, label: requirementTexts.title }] : []),
    ...(canReadEvents ? [{ to: `${path}/activity`, label: activityTexts.title }] : [])
  ]
  const tab = pathname === path ? undefined : tabs.find(({ to }) => to === pathname)
  return (
    <Page title={tab?.label ?? texts.title} heading={texts.title} tabs={<TabLinks label={texts.tabs} tabs={tabs} />}>
      <Outlet />
    </Page>
  )
}
