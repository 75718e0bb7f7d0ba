/**
 * Notice that the server cannot be reached, while requests are repeated.
 */
import { Alert } from "@mantine/core"
import { useNetwork } from "@mantine/hooks"
import { useQueryClient } from "@tanstack/react-query"
import { useSyncExternalStore } from "react"
import { isConnectionLost } from "../api/failures.ts"
import { shellTexts } from "../texts/en/shell.ts"
import { IconCloudOff } from "./icons.ts"

/** True while a query fails for want of a connection. */
const useUnreachable = (): boolean => {
  const cache = useQueryClient().getQueryCache()
  return useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => cache.getAll().some(({ state }) => isConnectionLost(state.fetchFailureReason))
  )
}

export const ConnectionNotice = () => {
  const { online } = useNetwork()
  const unreachable = useUnreachable()
  return (
    <div role="status">
      {(!online || unreachable) && (
        <Alert color="orange" mb="md" icon={<IconCloudOff aria-hidden />}>
          {shellTexts.offline}
        </Alert>
      )}
    </div>
  )
}
