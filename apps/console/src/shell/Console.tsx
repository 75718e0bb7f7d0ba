/**
 * The root component: theme, cache, toasts and router.
 */
import { MantineProvider } from "@mantine/core"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "react-router/dom"
import { queryClient } from "../api/queries.ts"
import { LazyToasts } from "./LazyToasts.tsx"
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
    <LazyToasts />
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </MantineProvider>
)
