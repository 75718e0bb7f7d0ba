/**
 * The buttons that change and delete what a page shows.
 */
import { Button } from "@mantine/core"
import { IconPencil, IconTrash } from "./icons.ts"

interface Props {
  readonly texts: { readonly edit: string; readonly delete: string }
  readonly onChoose: (dialog: "edit" | "delete") => void
}

export const EditButtons = ({ onChoose, texts }: Props) => (
  <>
    <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onChoose("edit")}>
      {texts.edit}
    </Button>
    <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => onChoose("delete")}>
      {texts.delete}
    </Button>
  </>
)
