/**
 * Shows notifications. The code is loaded for the first one, or before it by `loadToasts`.
 */
import { useNotifications } from "@mantine/notifications"
import { type ComponentType, lazy, Suspense, useState } from "react"

export const loadToasts = () => import("./Toasts.tsx")

// Without the code, which the page has lost its connection for, notifications are not shown.
const Toasts = lazy<ComponentType>(() =>
  loadToasts().then(
    ({ Toasts }) => ({ default: Toasts }),
    () => ({ default: () => null })
  )
)

export const LazyToasts = () => {
  const { notifications, queue } = useNotifications()
  const [wanted, setWanted] = useState(false)
  if (!wanted && notifications.length + queue.length > 0) setWanted(true)
  return (
    wanted && (
      <Suspense>
        <Toasts />
      </Suspense>
    )
  )
}
