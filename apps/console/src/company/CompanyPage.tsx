/**
 * The frame of the tabs of the company profile.
 */
import { Text } from "@mantine/core"
import type { ReactNode } from "react"
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

interface Props {
  /** Of the tab, for the title of the window. */
  readonly title: string
  readonly description?: string
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

export const CompanyPage = ({ actions, children, description, title }: Props) => {
  const { user } = useSession()
  const canReadWebhooks = useCan("webhooks:read")
  const canReadRequirements = useCan("requirements:read")
  const canReadEvents = useCan("events:read")
  const tabs = [
    { to: "/company", label: texts.overview },
    { to: "/company/people", label: peopleTexts.title },
    ...(isManager(user.role) ? [{ to: "/company/api-keys", label: apiKeyTexts.title }] : []),
    ...(canReadWebhooks ? [{ to: "/company/webhooks", label: webhookTexts.title }] : []),
    ...(canReadRequirements ? [{ to: "/company/requirements", label: requirementTexts.title }] : []),
    ...(canReadEvents ? [{ to: "/company/activity", label: activityTexts.title }] : [])
  ]
  return (
    <Page title={title} heading={texts.title} actions={actions} tabs={<TabLinks label={texts.tabs} tabs={tabs} />}>
      {description !== undefined && (
        <Text size="sm" c="dimmed" maw="80ch">
          {description}
        </Text>
      )}
      {children}
    </Page>
  )
}
