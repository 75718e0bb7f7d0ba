/**
 * The offered actions, and the dialog that one of them has opened, to be rendered.
 */
import { type ReactNode, useState } from "react"
import { Link } from "react-router"
import type { Action } from "./Action.ts"

interface Offered extends Action {
  /** What makes a button or an item of a menu do it. */
  readonly press: { readonly onClick: () => void } | { readonly renderRoot: (props: object) => ReactNode }
}

export const useActions = (
  actions: ReadonlyArray<Action>
): { readonly offered: ReadonlyArray<Offered>; readonly opened: ReactNode } => {
  const [open, setOpen] = useState<string>()
  const pressOf = ({ label, run = () => setOpen(label), to }: Action): Offered["press"] =>
    to === undefined ? { onClick: run } : { renderRoot: (props) => <Link {...props} to={to} /> }
  return {
    offered: actions
      .filter(({ isOffered = true }) => isOffered)
      .map((action) => ({ ...action, press: pressOf(action) })),
    // A dialog stays when its action is no longer offered: what was typed is not lost.
    opened: actions.find(({ label }) => label === open)?.dialog?.(() => setOpen(undefined))
  }
}
