/**
 * The list of requirements of an organisation.
 */
import { type DocumentRequirements, documentRequirements } from "@solar-sites/core"
import type { Owned } from "./MemoryDatabase.ts"

/** The list; empty and of version 0 where none is stored. */
export const requirementsOf = ({ requirementLists, requirements }: Owned): DocumentRequirements => {
  const [list = null] = requirementLists.values()
  return documentRequirements(list, requirements.values())
}
