/**
 * What time does by itself: documents without a file lapse (specification, section 5).
 */
import { between } from "../Instant.ts"
import type { Organisation } from "../ModelState.ts"
import { changeDocument } from "./DocumentRecords.ts"

const grace = 15 * 60_000
/** Longest time until the sweeper has seen a document. */
const delay = 60_000

const deadlines = (organisation: Organisation) =>
  [...organisation.documents.values()]
    .filter(({ status }) => status === "pending")
    .map((document) => ({ document, deadline: document.addressExpiresAt["@to"] + grace }))

/** True while the sweeper may or may not have seen a document. */
export const isUncertain = (organisation: Organisation, now: number): boolean =>
  deadlines(organisation).some(({ deadline }) => deadline <= now && now < deadline + delay)

export const lapse = (organisation: Organisation, now: number): void => {
  for (const { deadline, document } of deadlines(organisation)) {
    if (now < deadline) continue
    const failureReason = "nothing arrived before the upload address lapsed"
    changeDocument({ organisation, at: between(deadline, now) }, document, "failed", {
      status: "failed",
      failureReason
    })
  }
}
