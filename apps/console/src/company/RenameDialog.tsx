/**
 * Changes the name of the organisation. Owners only.
 */
import { TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { ask } from "../api/ask.ts"
import { refreshSession } from "../api/queries.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { useSession } from "../shell/session.ts"
import { useFaults } from "../shell/useFaults.ts"
import { companyTexts } from "../texts/en/company.ts"

const texts = companyTexts.renameDialog

export const RenameDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { organisation } = useSession()
  const [name, setName] = useState(organisation.name)
  const { collect, faultOf } = useFaults("name")
  const rename = () =>
    collect(async () => {
      const renamed = await ask("PUT /console/organisation/name", { payload: { name } })
      await refreshSession()
      notifications.show({ message: texts.done(renamed.name) })
    })
  return (
    <ConfirmDialog
      title={texts.title}
      action={texts.submit}
      color="petrol"
      disabled={name.trim() === ""}
      onClose={onClose}
      onConfirm={rename}
    >
      <TextInput
        label={companyTexts.name}
        autoComplete="organization"
        data-autofocus
        required
        withAsterisk={false}
        value={name}
        error={faultOf("name")}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </ConfirmDialog>
  )
}
