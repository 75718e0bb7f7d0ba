/**
 * Logs out and leaves the page; an error is shown as a notification.
 */
import { notifications } from "@mantine/notifications"
import { ask } from "../api/ask.ts"
import { messageOf } from "../api/failures.ts"
import { leaveSession, prepareLogout } from "../api/queries.ts"
import { shellTexts } from "../texts/en/shell.ts"
import { type Action, useAction } from "./useAction.ts"

export const useLogout = (): Action<[], void> =>
  useAction(async () => {
    try {
      await prepareLogout()
      await ask("DELETE /console/session")
    } catch (error) {
      notifications.show({ color: "red", title: shellTexts.logOutFailed, message: messageOf(error) })
      throw error
    }
    leaveSession()
  })
