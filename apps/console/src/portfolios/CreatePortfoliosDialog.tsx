/**
 * Creates one portfolio or several, by their names.
 */
import { Textarea } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { SolarSitesProblem } from "@solar-sites/http-node/client"
import { useState } from "react"
import { useNavigate } from "react-router"
import { client } from "../api/client.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { showWithLink } from "../shell/showWithLink.tsx"
import { useIdempotencyKey } from "../sites/useIdempotencyKey.ts"
import { asSentence } from "../texts/formats.ts"
import { portfolioTexts as texts } from "../texts/portfolios.ts"
import { refreshPortfolios } from "./portfolioQueries.ts"

/** Name, tab, external id: names have no tabs. */
const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line, index) => ({ line: index + 1, cells: line.split("\t") }))
    .filter(({ cells }) => cells.join("").trim() !== "")

const portfolioOf = ([name = "", externalId = "", ...others]: ReadonlyArray<string>) => {
  const identifier = [externalId, ...others].join("\t").trim()
  return identifier === "" ? { name } : { name, externalId: identifier }
}

/** The faults by line; undefined for an error that is not about a name. */
const faultOf = (error: unknown, lines: ReturnType<typeof linesOf>): string | undefined => {
  if (!(error instanceof SolarSitesProblem) || error.errors.length === 0) return undefined
  const said = error.errors.map(({ detail, pointer }) => {
    const [, index] = /^\/portfolios\/(\d+)/.exec(pointer) ?? []
    const line = index === undefined ? undefined : lines[Number(index)]?.line
    return line === undefined || lines.length === 1 ? asSentence(detail) : texts.line(line, detail)
  })
  return said.join(" ")
}

export const CreatePortfoliosDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [text, setText] = useState("")
  const [fault, setFault] = useState<string>()
  const keyFor = useIdempotencyKey()
  const navigate = useNavigate()
  const lines = linesOf(text)
  const create = async () => {
    setFault(undefined)
    // An empty name makes the server answer with its own message.
    const portfolios = lines.length === 0 ? [{ name: "" }] : lines.map(({ cells }) => portfolioOf(cells))
    try {
      const created = await client.portfolios.createMany(portfolios, { idempotencyKey: keyFor(portfolios) })
      const [only] = created
      if (created.length === 1 && only !== undefined) {
        const message = texts.createdOne(only.name)
        showWithLink(navigate, { message, to: `/portfolios/${only.id}`, label: texts.openCreated })
      } else notifications.show({ message: texts.created(created.length) })
      await refreshPortfolios()
      return true
    } catch (error) {
      const said = faultOf(error, lines)
      if (said === undefined) throw error
      setFault(said)
      return false
    }
  }
  return (
    <ConfirmDialog
      title={texts.createTitle}
      action={texts.createAction(lines.length)}
      color="petrol"
      onClose={onClose}
      onConfirm={create}
    >
      <Textarea
        label={texts.names}
        description={texts.namesHint}
        required
        data-autofocus
        autosize
        minRows={3}
        maxRows={12}
        value={text}
        error={fault}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </ConfirmDialog>
  )
}
