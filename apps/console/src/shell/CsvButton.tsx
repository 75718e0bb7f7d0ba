/**
 * Downloads a list of the API as CSV, with the conditions of the page.
 */
import { Button } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { requestCsv } from "../api/exchange.ts"
import { messageOf } from "../api/failures.ts"
import { shellTexts } from "../texts/en/shell.ts"
import { downloadBlob } from "./downloadBlob.ts"
import { IconDownload } from "./icons.ts"
import { useAction } from "./useAction.ts"

interface Props {
  /** Path of the API with its query, such as `/api/events`. */
  readonly path: string
  readonly fileName: string
}

export const CsvButton = ({ fileName, path }: Props) => {
  const exporting = useAction(async () => {
    try {
      downloadBlob(fileName, await requestCsv(path))
    } catch (error) {
      notifications.show({ color: "red", title: shellTexts.csvFailed, message: messageOf(error) })
      throw error
    }
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={exporting.busy}
      onClick={() => exporting.run()}
    >
      {shellTexts.csv}
    </Button>
  )
}
