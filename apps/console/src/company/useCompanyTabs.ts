/**
 * The tabs of the company profile that the role of the user may read.
 */
import { isManager } from "../api/people.ts"
import { useCan, useSession } from "../shell/session.ts"
import { activityTexts } from "../texts/en/activity.ts"
import { apiKeyTexts } from "../texts/en/apiKeys.ts"
import { companyTexts } from "../texts/en/company.ts"
import { peopleTexts } from "../texts/en/people.ts"
import { requirementTexts } from "../texts/en/requirements.ts"
import { webhookTexts } from "../texts/en/webhooks.ts"

export const companyPath = "/company"

/** The first one is the overview, at `companyPath`. */
export const useCompanyTabs = () => {
  const { user } = useSession()
  const canReadWebhooks = useCan("webhooks:read")
  const canReadRequirements = useCan("requirements:read")
  const canReadEvents = useCan("events:read")
  return [
    { to: companyPath, label: companyTexts.overview },
    { to: `${companyPath}/people`, label: peopleTexts.title },
    ...(isManager(user.role) ? [{ to: `${companyPath}/api-keys`, label: apiKeyTexts.title }] : []),
    ...(canReadWebhooks ? [{ to: `${companyPath}/webhooks`, label: webhookTexts.title }] : []),
    ...(canReadRequirements ? [{ to: `${companyPath}/requirements`, label: requirementTexts.title }] : []),
    ...(canReadEvents ? [{ to: `${companyPath}/activity`, label: activityTexts.title }] : [])
  ]
}
