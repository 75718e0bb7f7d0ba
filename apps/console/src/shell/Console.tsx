/**
 * The root component: theme, cache, notifications and router.
 */
import { MantineProvider } from "@mantine/core"
import { Notifications } from "@mantine/notifications"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "react-router/dom"
import { queryClient } from "../api/queries.ts"
import { styleNonce } from "./nonce.ts"
import { router } from "./routes.tsx"
import { cssVariablesResolver, theme } from "./theme.ts"

export const Console = () => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariablesResolver}
    defaultColorScheme="auto"
    getStyleNonce={() => styleNonce}
  >
    <Notifications position="bottom-right" />
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </MantineProvider>
)
