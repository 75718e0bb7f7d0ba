/**
 * The decisions of this tab, with a notice while they can be undone.
 */
import { notifications } from "@mantine/notifications"
import type { Document } from "@solar-sites/http-node/client"
import { useEffect, useSyncExternalStore } from "react"
import { client, leavingClient } from "../api/client.ts"
import { messageOf } from "../api/failures.ts"
import { noticeSessionChange, onLeave, onLogout, queryClient } from "../api/queries.ts"
import { documentListTexts as texts } from "../texts/en/documentList.ts"
import { DecisionNotice } from "./DecisionNotice.tsx"
import { type Decisions, DelayedDecisions, type Outcome, type SendDecision } from "./DelayedDecisions.ts"
import { documentQuery, refreshDocuments } from "./documentQueries.ts"

const undoMillis = 10_000

const send: SendDecision = async ({ document, outcome }, isLeaving) => {
  const { filename, id, siteId, version } = document
  const { documents } = isLeaving ? leavingClient : client
  try {
    await documents.changeStatus(id, outcome, { expectedVersion: version })
    return true
  } catch (error) {
    noticeSessionChange(error)
    notifications.show({ color: "red", title: texts.notDecided[outcome.status](filename), message: messageOf(error) })
    return false
  } finally {
    await refreshDocuments(siteId)
  }
}

export const decisions: DelayedDecisions = new DelayedDecisions(send, undoMillis)

// Also when the tab is discarded in the background, which phones do.
addEventListener("pagehide", () => void decisions.flush(true))
onLogout(() => decisions.flush())
onLeave(() => decisions.drop())

const noticeId = "decisions"

decisions.subscribe(() => {
  const waiting = [...decisions.all().values()].filter(({ isSent }) => !isSent)
  const last = waiting.at(-1)
  if (last === undefined) {
    notifications.hide(noticeId)
    return
  }
  const message = <DecisionNotice last={last} others={waiting.length - 1} onUndo={() => decisions.undo()} />
  const notice = { id: noticeId, message, autoClose: false, withCloseButton: false }
  // `show` does nothing for a notice that is shown, `update` for one that is not.
  notifications.show(notice)
  notifications.update(notice)
})

/** Decides on the newest version that is known, which may be beside the list. */
export const decide = (listed: Document, outcome: Outcome): void =>
  decisions.add(queryClient.getQueryData(documentQuery(listed.id).queryKey) ?? listed, outcome)

export const useDecisions = (): Decisions => useSyncExternalStore(decisions.subscribe, decisions.all)

/** The decisions. They are sent at the latest when the page that calls this is left. */
export const useDecisionsOfPage = (): Decisions => {
  useEffect(() => () => void decisions.flush(), [])
  return useDecisions()
}
