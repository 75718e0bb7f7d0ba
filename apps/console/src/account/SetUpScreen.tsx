/**
 * The only page of a user of an organisation that demands a second factor, until one is set up.
 */
import { Button, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Failure } from "../shell/Failure.tsx"
import { Screen } from "../shell/Screen.tsx"
import { useSession } from "../shell/session.ts"
import { useLogout } from "../shell/useLogout.ts"
import { Waiting } from "../shell/Waiting.tsx"
import { factorTexts as texts } from "../texts/en/account.ts"
import { shellTexts } from "../texts/en/shell.ts"
import { secondFactorQuery } from "./accountQueries.ts"
import { RecoveryCodesDialog } from "./RecoveryCodesDialog.tsx"
import { SetUpFactor } from "./SetUpFactor.tsx"

export const SetUpScreen = ({ onDone }: { readonly onDone: () => void }) => {
  const { organisation } = useSession()
  const { data, error, refetch } = useQuery(secondFactorQuery)
  const [codes, setCodes] = useState<ReadonlyArray<string>>()
  const leaving = useLogout()
  return (
    <Screen title={texts.demandedTitle} width={460}>
      <Text size="sm">{texts.demanded(organisation.name)}</Text>
      {data === undefined ? (
        error === null ? (
          <Waiting />
        ) : (
          <Failure error={error} onRetry={refetch} />
        )
      ) : (
        <SetUpFactor hasPassword={data.hasPassword} onEnabled={setCodes} />
      )}
      {codes !== undefined && <RecoveryCodesDialog codes={codes} onClose={onDone} />}
      <Button variant="subtle" color="gray" loading={leaving.busy} onClick={() => leaving.run()}>
        {shellTexts.logOut}
      </Button>
    </Screen>
  )
}
