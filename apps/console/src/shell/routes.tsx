/**
 * Which page is where. The pages come in files of their own, when they are
 * first looked at.
 */
import { createBrowserRouter, Navigate } from "react-router"
import { BrokenPage, NotFoundPage } from "./ErrorPages.tsx"
import { RequireSession } from "./RequireSession.tsx"
import { Waiting } from "./Waiting.tsx"

export const router = createBrowserRouter([
  {
    ErrorBoundary: BrokenPage,
    HydrateFallback: Waiting,
    children: [
      { path: "/login", lazy: { Component: async () => (await import("../login/LoginPage.tsx")).LoginPage } },
      {
        Component: RequireSession,
        children: [
          {
            ErrorBoundary: BrokenPage,
            children: [
              { index: true, element: <Navigate to="/sites" replace /> },
              { path: "sites", lazy: { Component: async () => (await import("../sites/SitesPage.tsx")).SitesPage } },
              {
                path: "sites/:siteId",
                lazy: { Component: async () => (await import("../sites/SitePage.tsx")).SitePage }
              },
              {
                path: "portfolios",
                lazy: { Component: async () => (await import("../portfolios/PortfoliosPage.tsx")).PortfoliosPage }
              },
              { path: "profile", element: <Navigate to="/profile/api-keys" replace /> },
              {
                path: "profile/api-keys",
                lazy: { Component: async () => (await import("../profile/ApiKeysPage.tsx")).ApiKeysPage }
              },
              { path: "*", Component: NotFoundPage }
            ]
          }
        ]
      }
    ]
  }
])
