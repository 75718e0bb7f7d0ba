/**
 * Edits name and external id of a portfolio. Only changed members are sent.
 */
import { Stack, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { Portfolio } from "@solar-sites/http-node/client"
import { useState } from "react"
import { client } from "../api/client.ts"
import { isProblem } from "../api/failures.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { useFaults } from "../shell/useFaults.ts"
import { portfolioTexts as texts } from "../texts/en/portfolios.ts"
import { refreshPortfolios } from "./portfolioQueries.ts"

interface Props {
  readonly portfolio: Portfolio
  readonly onClose: () => void
}

export const EditPortfolioDialog = ({ onClose, portfolio }: Props) => {
  const [base, setBase] = useState(portfolio)
  const [name, setName] = useState(portfolio.name)
  const [externalId, setExternalId] = useState(portfolio.externalId ?? "")
  const [conflict, setConflict] = useState<string>()
  const { collect, faultOf } = useFaults("name", "externalId")
  const identifier = externalId === "" ? null : externalId
  const changes = {
    ...(name === portfolio.name ? {} : { name }),
    ...(identifier === portfolio.externalId ? {} : { externalId: identifier })
  }
  const save = async () => {
    setConflict(undefined)
    try {
      return await collect(async () => {
        const saved = await client.portfolios.update(base.id, changes, { expectedVersion: base.version })
        notifications.show({ message: texts.saved(saved.name) })
        await refreshPortfolios()
      })
    } catch (error) {
      if (!isProblem(error, "precondition_failed")) throw error
      const theirs = await client.portfolios.get(base.id)
      setBase(theirs)
      setConflict(texts.conflict(theirs.name))
      return false
    }
  }
  return (
    <ConfirmDialog
      title={texts.editTitle(portfolio.name)}
      action={texts.saveAction}
      color="petrol"
      onClose={onClose}
      onConfirm={save}
    >
      <Stack gap="sm">
        <TextInput
          label={texts.name}
          required
          data-autofocus
          value={name}
          error={faultOf("name") ?? conflict}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={texts.columns.externalId}
          description={texts.externalIdHint}
          value={externalId}
          error={faultOf("externalId")}
          onChange={(event) => setExternalId(event.currentTarget.value)}
        />
      </Stack>
    </ConfirmDialog>
  )
}
