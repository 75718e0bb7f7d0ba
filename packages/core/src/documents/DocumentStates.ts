/** States of documents (specification, section 5). `DocumentStatus.ts` has the transitions between them. */

export const documentStates = ["pending", "uploaded", "failed", "approved", "completed"] as const

/** The file of a document in one of these states is in storage. */
export const statesWithFile = ["uploaded", "approved", "completed"] as const

/** True when the file of the document is in storage. */
export const hasFile = ({ status }: { readonly status: (typeof documentStates)[number] }): boolean =>
  statesWithFile.some((state) => state === status)

/** True when the file of the document is in storage and no other document has replaced it. */
export const isCurrent = ({
  replacedBy,
  status
}: {
  readonly replacedBy: string | null
  readonly status: (typeof documentStates)[number]
}): boolean => replacedBy === null && hasFile({ status })
