/**
 * Asks before a half-filled form is thrown away by Escape or by the close button of its dialog.
 */
import { Button, Group, Modal, Text } from "@mantine/core"
import { type FocusEvent, type ReactNode, useRef, useState } from "react"
import { shellTexts } from "../texts/en/shell.ts"

const texts = shellTexts.discard

interface QuestionProps {
  readonly onKeep: () => void
  readonly onDiscard: () => void
}

export const DiscardQuestion = ({ onDiscard, onKeep }: QuestionProps) => (
  <Modal opened onClose={onKeep} title={texts.title} size="sm" centered withCloseButton={false}>
    <Text size="sm">{texts.hint}</Text>
    <Group justify="flex-end" mt="md">
      <Button variant="default" onClick={onDiscard}>
        {texts.discard}
      </Button>
      <Button data-autofocus onClick={onKeep}>
        {texts.keep}
      </Button>
    </Group>
  </Modal>
)

const fields = "input:not([type=checkbox], [type=radio]), textarea, select"

/** Values of all fields, to compare. A choice of one click is quickly made again, and asked for by no question. */
const inputOf = (form: HTMLElement): string =>
  JSON.stringify([...form.querySelectorAll<HTMLInputElement>(fields)].map(({ value }) => value))

export interface FormGuard {
  /** For the form. */
  readonly guarded: {
    readonly onFocusCapture: (event: FocusEvent<HTMLFormElement>) => void
    readonly onInput: () => void
    readonly onClick: () => void
  }
  /** For the dialog: closes, or asks first. */
  readonly dialog: { readonly onClose: () => void; readonly closeOnEscape: boolean }
  /** To be rendered. */
  readonly question: ReactNode
}

export const useFormGuard = (onClose: () => void): FormGuard => {
  const form = useRef<HTMLFormElement>(null)
  const before = useRef("")
  // Values that load later are no input.
  const touched = useRef(false)
  const [asking, setAsking] = useState(false)
  const touch = () => {
    touched.current = true
  }
  const isFilled = () =>
    touched.current && form.current?.isConnected === true && inputOf(form.current) !== before.current
  return {
    guarded: {
      onFocusCapture: ({ currentTarget }) => {
        if (form.current === currentTarget) return
        form.current = currentTarget
        before.current = inputOf(currentTarget)
      },
      onInput: touch,
      onClick: touch
    },
    dialog: {
      onClose: () => (isFilled() ? setAsking(true) : onClose()),
      // Escape belongs to the question while it is asked.
      closeOnEscape: !asking
    },
    question: asking && <DiscardQuestion onKeep={() => setAsking(false)} onDiscard={onClose} />
  }
}
