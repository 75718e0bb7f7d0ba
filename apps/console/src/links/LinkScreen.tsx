/**
 * The frame of a page that was opened by a link.
 */
import { Button, Text } from "@mantine/core"
import type { ReactNode } from "react"
import { Link } from "react-router"
import { isProblem } from "../api/failures.ts"
import { Failure } from "../shell/Failure.tsx"
import { Screen } from "../shell/Screen.tsx"
import { linkTexts } from "../texts/en/links.ts"
import { linkToken } from "./linkToken.ts"

interface Props {
  readonly title: string
  /** Error of the request with the token; null while none has failed. */
  readonly error: unknown
  /** Title of the error message. */
  readonly failed: string
  readonly children: ReactNode
}

export const LinkScreen = ({ children, error, failed, title }: Props) => {
  const isInvalid = linkToken === "" || isProblem(error, "link_invalid")
  return (
    <Screen title={title}>
      {isInvalid ? (
        <>
          <Text role="alert">{linkToken === "" ? linkTexts.noToken : linkTexts.invalid}</Text>
          <Button component={Link} to="/login" variant="default">
            {linkTexts.toLogin}
          </Button>
        </>
      ) : (
        <>
          {error !== null && <Failure title={failed} error={error} />}
          {children}
        </>
      )}
    </Screen>
  )
}
