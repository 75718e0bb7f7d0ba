/**
 * The company profile: its tabs, and the one that is open.
 */
import { Outlet, useLocation } from "react-router"
import { Page } from "../shell/Page.tsx"
import { TabLinks } from "../shell/TabLinks.tsx"
import { companyTexts as texts } from "../texts/en/company.ts"
import { companyPath, useCompanyTabs } from "./useCompanyTabs.ts"

export const CompanyPage = () => {
  const { pathname } = useLocation()
  const tabs = useCompanyTabs()
  const tab = pathname === companyPath ? undefined : tabs.find(({ to }) => to === pathname)
  return (
    <Page title={tab?.label ?? texts.title} heading={texts.title} tabs={<TabLinks label={texts.tabs} tabs={tabs} />}>
      <Outlet />
    </Page>
  )
}
