/**
 * Chooses the site of an upload that begins on another page.
 */
import { Box } from "@mantine/core"
import { useState } from "react"
import { useNavigate } from "react-router"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { SiteSelect } from "../sites/SiteSelect.tsx"
import { uploadTexts as texts } from "../texts/en/uploads.ts"

export const ChooseSiteDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [siteId, setSiteId] = useState<string | null>(null)
  const navigate = useNavigate()
  // The dialog goes with its page.
  const goOn = async () => {
    await navigate(`/sites/${siteId}/documents?upload`)
    return false
  }
  return (
    <ConfirmDialog
      title={texts.open}
      action={texts.goOn}
      color="petrol"
      disabled={siteId === null}
      onClose={onClose}
      onConfirm={goOn}
    >
      {/* The choices cover no button. */}
      <Box mih={280}>
        <SiteSelect
          data-autofocus
          label={texts.site}
          description={texts.siteHint}
          value={siteId}
          onChange={setSiteId}
        />
      </Box>
    </ConfirmDialog>
  )
}
