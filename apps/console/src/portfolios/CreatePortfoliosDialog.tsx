/**
 * Creates one portfolio, or several by lines of text.
 */
import { Button, Stack, Textarea, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { SolarSitesProblem } from "@solar-sites/http-node/client"
import { useState } from "react"
import { useNavigate } from "react-router"
import { client } from "../api/client.ts"
import { faultText, fieldErrorsOf, isProblem, problemText } from "../api/failures.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { showWithLink } from "../shell/showWithLink.tsx"
import { useIdempotencyKey } from "../sites/useIdempotencyKey.ts"
import { portfolioTexts as texts } from "../texts/en/portfolios.ts"
import { asSentence } from "../texts/formats.ts"
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
  const said = error.errors.map((fault) => {
    const [, index] = /^\/portfolios\/(\d+)/.exec(fault.pointer) ?? []
    const line = index === undefined ? undefined : lines[Number(index)]?.line
    return line === undefined || lines.length === 1 ? asSentence(faultText(fault)) : texts.line(line, faultText(fault))
  })
  return said.join(" ")
}

const externalIdFault = (error: unknown): string | undefined =>
  isProblem(error, "external_id_taken")
    ? asSentence(problemText(error))
    : fieldErrorsOf(error)["portfolios.0.externalId"]

export const CreatePortfoliosDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [name, setName] = useState("")
  const [externalId, setExternalId] = useState("")
  // Null for a single portfolio, which is usual.
  const [text, setText] = useState<string | null>(null)
  const [faults, setFaults] = useState<{ readonly names?: string | undefined; readonly externalId?: string }>({})
  const keyFor = useIdempotencyKey()
  const navigate = useNavigate()
  const lines = text === null ? linesOf(`${name}\t${externalId}`) : linesOf(text)
  const create = async () => {
    setFaults({})
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
      const ofId = text === null ? externalIdFault(error) : undefined
      const names = ofId === undefined ? faultOf(error, lines) : undefined
      if (ofId === undefined && names === undefined) throw error
      setFaults(ofId === undefined ? { names } : { externalId: asSentence(ofId) })
      return false
    }
  }
  return (
    <ConfirmDialog
      title={texts.createTitle(text === null)}
      action={texts.createAction(lines.length)}
      color="petrol"
      onClose={onClose}
      onConfirm={create}
    >
      {text === null ? (
        <Stack gap="sm">
          <TextInput
            label={texts.name}
            required
            data-autofocus
            value={name}
            error={faults.names}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label={texts.columns.externalId}
            description={texts.externalIdHint}
            value={externalId}
            error={faults.externalId}
            onChange={(event) => setExternalId(event.currentTarget.value)}
          />
          <Button variant="subtle" size="compact-sm" onClick={() => setText(name)} style={{ alignSelf: "start" }}>
            {texts.several}
          </Button>
        </Stack>
      ) : (
        <Textarea
          label={texts.names}
          description={texts.namesHint}
          required
          autoFocus
          autosize
          minRows={3}
          maxRows={12}
          value={text}
          error={faults.names}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
    </ConfirmDialog>
  )
}
