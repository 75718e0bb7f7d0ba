/**
 * Placeholder of the table until the first sites are loaded.
 */
import { Skeleton, Stack } from "@mantine/core"
import { shellTexts } from "../texts/en/shell.ts"

const rows = [0, 1, 2, 3, 4, 5, 6, 7]

export const SitesSkeleton = () => (
  <Stack gap="xs" role="status" aria-label={shellTexts.loading}>
    {rows.map((row) => (
      <Skeleton key={row} height={36} />
    ))}
  </Stack>
)
