/**
 * Loading indicator.
 */
import { Center, Loader } from "@mantine/core"
import { shellTexts } from "../texts/en/shell.ts"

export const Waiting = () => (
  <Center mih={240} role="status" aria-label={shellTexts.loading}>
    <Loader />
  </Center>
)
