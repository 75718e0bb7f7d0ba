/**
 * Takes files and folders that are dropped anywhere on the page.
 */
import { Portal, Text } from "@mantine/core"
import { useEffect, useEffectEvent, useState } from "react"
import { droppedFiles } from "./droppedFiles.ts"
import { maximumDrafts } from "./UploadDraft.ts"
import classes from "./Uploads.module.css"

interface Props {
  /** Shown while files are dragged over the page. */
  readonly label: string
  readonly onFiles: (files: ReadonlyArray<File>) => void
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false

export const DropTarget = ({ label, onFiles }: Props) => {
  const [over, setOver] = useState(false)
  const drag = useEffectEvent((event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    // Leaving one element for another one of the page has a related target.
    setOver(event.type !== "dragleave" || event.relatedTarget !== null)
  })
  const drop = useEffectEvent(async (event: DragEvent) => {
    if (!hasFiles(event) || event.dataTransfer === null) return
    event.preventDefault()
    setOver(false)
    onFiles(await droppedFiles(event.dataTransfer, maximumDrafts))
  })

  useEffect(() => {
    const stop = new AbortController()
    for (const type of ["dragenter", "dragover", "dragleave"] as const) {
      addEventListener(type, (event) => drag(event), stop)
    }
    addEventListener("drop", (event) => void drop(event), stop)
    return () => stop.abort()
  }, [])

  return over ? (
    <Portal>
      <div className={classes.overlay}>
        <Text fw={600} size="lg">
          {label}
        </Text>
      </div>
    </Portal>
  ) : null
}
