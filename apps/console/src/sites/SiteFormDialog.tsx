/**
 * Creates or edits a site.
 */
import { Button, Modal, Stack, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { Site } from "@solar-sites/http-node/client"
import { useNavigate } from "react-router"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { Conflict } from "../shell/Conflict.tsx"
import { DialogActions } from "../shell/DialogActions.tsx"
import { Failure } from "../shell/Failure.tsx"
import { showWithLink } from "../shell/showWithLink.tsx"
import { useFocusReturn } from "../shell/useFocusReturn.ts"
import { useFormGuard } from "../shell/useFormGuard.tsx"
import { shellTexts } from "../texts/en/shell.ts"
import { siteFormTexts as texts } from "../texts/en/siteForm.ts"
import { changedLabels } from "./SiteFields.ts"
import { SiteFormFields } from "./SiteFormFields.tsx"
import { useSiteForm } from "./useSiteForm.ts"

interface Props {
  /** The site to edit; without it a new one is created. */
  readonly site?: Site | undefined
  readonly onClose: () => void
  readonly onSaved?: (site: Site) => void
}

const conflictText = (base: Site, theirs: Site): string => {
  const labels = changedLabels(base, theirs)
  return labels.length > 0 ? texts.conflict(labels) : texts.conflictSame
}

export const SiteFormDialog = ({ onClose, onSaved, site }: Props) => {
  useFocusReturn()
  const navigate = useNavigate()
  const { dialog, guarded, question } = useFormGuard(onClose)
  const { portfolios } = usePortfolioNames()
  const { base, error, form, isSaving, keepMine, submit, takeTheirs, theirs } = useSiteForm(site, (saved) => {
    if (site === undefined) {
      const message = texts.created(saved.siteName)
      showWithLink(navigate, { message, to: `/sites/${saved.id}`, label: texts.openCreated })
    } else notifications.show({ message: texts.saved(saved.siteName) })
    onSaved?.(saved)
    onClose()
  })
  return (
    <Modal
      opened
      {...dialog}
      title={site === undefined ? texts.create : texts.edit(site.siteName)}
      size="lg"
      closeOnClickOutside={false}
    >
      {/* The server validates, so the browser does not. */}
      <form onSubmit={submit} noValidate {...guarded}>
        <Stack gap="md">
          <SiteFormFields form={form} portfolios={portfolios} />
          {base !== undefined && theirs !== undefined && (
            <Conflict texts={texts} onKeepMine={keepMine} onTakeTheirs={takeTheirs}>
              <Text size="sm">{conflictText(base, theirs)}</Text>
            </Conflict>
          )}
          {error !== null && <Failure error={error} title={texts.failed} />}
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              {shellTexts.cancel}
            </Button>
            <Button type="submit" loading={isSaving}>
              {site === undefined ? texts.createAction : texts.saveAction}
            </Button>
          </DialogActions>
        </Stack>
      </form>
      {question}
    </Modal>
  )
}
