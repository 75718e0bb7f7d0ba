/**
 * The pages by their paths. The code of a page is loaded when it is first
 * opened.
 */
import type { ComponentType } from "react"
import { createBrowserRouter, type LoaderFunctionArgs, Navigate } from "react-router"
import { queryClient, sessionQuery } from "../api/queries.ts"
import { overviewQuery } from "../overview/overviewQueries.ts"
import { SitesPage } from "../sites/SitesPage.tsx"
import { prefetchSites } from "../sites/siteQueries.ts"
import { BrokenPage, NotFoundPage, PageNotLoaded } from "./ErrorPages.tsx"
import { RequireSession } from "./RequireSession.tsx"
import { Starting } from "./Starting.tsx"

const loading = (load: () => Promise<ComponentType>) => () =>
  load().catch((cause: unknown) => {
    throw new PageNotLoaded("the code of a page could not be loaded", { cause })
  })

/** Starts to read the data of a page while its code and the session are loaded. */
const reading = (read: (search: string) => void) => ({
  loader: ({ request }: LoaderFunctionArgs) => {
    read(new URL(request.url).search)
    return null
  },
  // Later changes of the query are read by the page.
  shouldRevalidate: () => false
})

export const router = createBrowserRouter([
  {
    ErrorBoundary: BrokenPage,
    HydrateFallback: Starting,
    children: [
      { path: "/login", lazy: { Component: loading(async () => (await import("../login/LoginPage.tsx")).LoginPage) } },
      {
        path: "/forgotten-password",
        lazy: { Component: loading(async () => (await import("../login/ForgottenPage.tsx")).ForgottenPage) }
      },
      {
        path: "/invitation",
        lazy: { Component: loading(async () => (await import("../links/InvitationPage.tsx")).InvitationPage) }
      },
      { path: "/reset", lazy: { Component: loading(async () => (await import("../links/ResetPage.tsx")).ResetPage) } },
      { path: "/email", lazy: { Component: loading(async () => (await import("../links/EmailPage.tsx")).EmailPage) } },
      {
        Component: RequireSession,
        ...reading(() => void queryClient.prefetchQuery(sessionQuery)),
        children: [
          {
            ErrorBoundary: BrokenPage,
            children: [
              {
                index: true,
                ...reading(() => void queryClient.prefetchQuery(overviewQuery)),
                lazy: { Component: loading(async () => (await import("../overview/OverviewPage.tsx")).OverviewPage) }
              },
              {
                path: "sites",
                ...reading(prefetchSites),
                // No further request before its rows: the list is opened most, and has the most rows.
                Component: SitesPage
              },
              {
                path: "sites/import",
                lazy: { Component: loading(async () => (await import("../imports/ImportPage.tsx")).ImportPage) }
              },
              {
                path: "sites/:siteId",
                lazy: { Component: loading(async () => (await import("../site/SitePage.tsx")).SitePage) },
                children: [
                  {
                    index: true,
                    lazy: { Component: loading(async () => (await import("../site/SiteOverview.tsx")).SiteOverview) }
                  },
                  {
                    path: "documents",
                    lazy: { Component: loading(async () => (await import("../site/SiteDocuments.tsx")).SiteDocuments) }
                  },
                  {
                    path: "coverage",
                    lazy: {
                      Component: loading(async () => (await import("../site/SiteCoverage.tsx")).SiteCoverage)
                    }
                  },
                  {
                    path: "activity",
                    lazy: { Component: loading(async () => (await import("../site/SiteActivity.tsx")).SiteActivity) }
                  }
                ]
              },
              {
                path: "portfolios",
                lazy: {
                  Component: loading(async () => (await import("../portfolios/PortfoliosPage.tsx")).PortfoliosPage)
                }
              },
              {
                path: "portfolios/:portfolioId",
                lazy: {
                  Component: loading(async () => (await import("../portfolio/PortfolioPage.tsx")).PortfolioPage)
                }
              },
              {
                path: "documents/:view?",
                lazy: {
                  Component: loading(
                    async () => (await import("../document-list/DocumentListPage.tsx")).DocumentListPage
                  )
                }
              },
              {
                path: "coverage",
                lazy: { Component: loading(async () => (await import("../coverage/CoveragePage.tsx")).CoveragePage) }
              },
              {
                path: "account",
                lazy: { Component: loading(async () => (await import("../account/AccountPage.tsx")).AccountPage) }
              },
              {
                path: "company",
                lazy: { Component: loading(async () => (await import("../company/CompanyPage.tsx")).CompanyPage) },
                children: [
                  {
                    index: true,
                    lazy: { Component: loading(async () => (await import("../company/OverviewTab.tsx")).OverviewTab) }
                  },
                  {
                    path: "people",
                    lazy: { Component: loading(async () => (await import("../people/PeopleTab.tsx")).PeopleTab) }
                  },
                  {
                    path: "api-keys",
                    lazy: { Component: loading(async () => (await import("../api-keys/ApiKeysTab.tsx")).ApiKeysTab) }
                  },
                  {
                    path: "webhooks",
                    lazy: { Component: loading(async () => (await import("../webhooks/WebhooksTab.tsx")).WebhooksTab) }
                  },
                  {
                    path: "requirements",
                    lazy: {
                      Component: loading(
                        async () => (await import("../requirements/RequirementsTab.tsx")).RequirementsTab
                      )
                    }
                  },
                  {
                    path: "activity",
                    lazy: { Component: loading(async () => (await import("../activity/ActivityTab.tsx")).ActivityTab) }
                  }
                ]
              },
              // Addresses of earlier versions.
              { path: "profile", element: <Navigate to="/company" replace /> },
              { path: "profile/api-keys", element: <Navigate to="/company/api-keys" replace /> },
              { path: "profile/people", element: <Navigate to="/company/people" replace /> },
              { path: "*", Component: NotFoundPage }
            ]
          }
        ]
      }
    ]
  }
])
