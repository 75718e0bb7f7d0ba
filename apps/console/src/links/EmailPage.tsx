/**
 * Confirms a new e-mail address by a link. A click is needed, since mail scanners open links.
 */
import { Button, Text } from "@mantine/core"
import { useState } from "react"
import { Link } from "react-router"
import { ask } from "../api/ask.ts"
import { Screen } from "../shell/Screen.tsx"
import { useAction } from "../shell/useAction.ts"
import { linkTexts } from "../texts/en/links.ts"
import { LinkScreen } from "./LinkScreen.tsx"
import { linkToken } from "./linkToken.ts"

const texts = linkTexts.email

export const EmailPage = () => {
  const [email, setEmail] = useState<string>()
  const confirming = useAction(async () => {
    const confirmed = await ask("POST /console/email-confirmations", { payload: { token: linkToken } })
    setEmail(confirmed.email)
  })
  if (email !== undefined) {
    return (
      <Screen title={texts.title}>
        <Text role="status">{texts.done(email)}</Text>
        <Button component={Link} to="/sites">
          {linkTexts.toConsole}
        </Button>
      </Screen>
    )
  }
  return (
    <LinkScreen title={texts.title} error={confirming.error} failed={texts.failed}>
      <Text>{texts.explanation}</Text>
      <Button loading={confirming.busy} onClick={() => confirming.run()}>
        {texts.submit}
      </Button>
    </LinkScreen>
  )
}
