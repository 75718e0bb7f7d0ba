/**
 * In place of content that is not read yet, or could not be read.
 */
import { Skeleton } from "@mantine/core"
import { Failure } from "./Failure.tsx"

interface Props {
  /** In pixels. */
  readonly height: number
  /** Null while it is read. */
  readonly error: unknown
  readonly onRetry: () => unknown
}

export const NotRead = ({ error, height, onRetry }: Props) =>
  error === null ? <Skeleton height={height} /> : <Failure error={error} onRetry={() => void onRetry()} />
