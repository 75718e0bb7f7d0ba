/**
 * A popover below its button. The focus goes into it, and back to the button.
 */
import { Popover } from "@mantine/core"
import { cloneElement, type ReactNode, useRef } from "react"
import type { Target } from "../shell/OpenedMenu.tsx"

interface Props {
  readonly target: Target
  readonly label: string
  readonly opened: boolean
  readonly onChange: (opened: boolean) => void
  /** In pixels. */
  readonly width?: number
  readonly children: ReactNode
}

export const ButtonPopover = ({ children, label, onChange, opened, target, width }: Props) => {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Popover
      opened={opened}
      onChange={onChange}
      onClose={() => button.current?.focus({ preventScroll: true })}
      position="bottom-end"
      shadow="md"
      trapFocus
      {...(width === undefined ? {} : { width })}
    >
      <Popover.Target>{cloneElement(target, { ref: button, onClick: () => onChange(!opened) })}</Popover.Target>
      <Popover.Dropdown aria-label={label}>{children}</Popover.Dropdown>
    </Popover>
  )
}
