/**
 * Buttons that choose files, or the files of a folder.
 */
import { Button, FileButton, Group } from "@mantine/core"
import { type ChangeEvent, useRef } from "react"
import { IconFolderUp, IconUpload } from "../shell/icons.ts"
import { uploadTexts as texts } from "../texts/en/uploads.ts"
import { withoutSystemFiles } from "./droppedFiles.ts"

interface Props {
  readonly size: "xs" | "sm"
  /** True while nothing is chosen. */
  readonly isFirst: boolean
  readonly onFiles: (files: ReadonlyArray<File>) => void
}

export const ChooseFiles = ({ isFirst, onFiles, size }: Props) => {
  const folder = useRef<HTMLInputElement>(null)
  const asFolder = (input: HTMLInputElement | null) => {
    folder.current = input
    if (input !== null) input.webkitdirectory = true
  }
  const chosen = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const files = withoutSystemFiles(currentTarget.files ?? [])
    currentTarget.value = ""
    onFiles(files)
  }
  return (
    <Group gap="xs">
      <FileButton multiple onChange={onFiles}>
        {(props) => (
          <Button
            size={size}
            variant={isFirst ? "filled" : "default"}
            leftSection={<IconUpload size={16} aria-hidden />}
            {...props}
          >
            {isFirst ? texts.choose : texts.chooseMore}
          </Button>
        )}
      </FileButton>
      <Button
        size={size}
        variant="default"
        leftSection={<IconFolderUp size={16} aria-hidden />}
        onClick={() => folder.current?.click()}
      >
        {texts.chooseFolder}
      </Button>
      <input ref={asFolder} type="file" multiple hidden aria-hidden tabIndex={-1} onChange={chosen} />
    </Group>
  )
}
