/** Something to do with a record, as an item of a menu or as a button. */
import type { ReactNode } from "react"
import type { IconPencil } from "../shell/icons.ts"

export interface Action {
  readonly label: string
  /** What it means, where the label says too little. */
  readonly hint?: string
  readonly Icon?: typeof IconPencil
  readonly isDangerous?: boolean
  /** True for what the state of the record asks for. */
  readonly isMain?: boolean
  /** False for what the record's state or the user's role does not allow. */
  readonly isOffered?: boolean
  /** A page, what happens at once, or a dialog until it is closed. */
  readonly to?: string
  readonly run?: () => void
  readonly dialog?: (close: () => void) => ReactNode
}
