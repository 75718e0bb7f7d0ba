/**
 * Edits the requirements as one list.
 */

import { Button, EmptyState, Group, Paper, Stack, Table, Text } from "@mantine/core"
import { maximumRequirements } from "@solar-sites/core/model"
import type { DocumentRequirements } from "@solar-sites/http-node/client"
import { useState } from "react"
import { useBlocker } from "react-router"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { Conflict } from "../shell/Conflict.tsx"
import { Failure } from "../shell/Failure.tsx"
import { IconPlus } from "../shell/icons.ts"
import { requirementTexts as texts } from "../texts/en/requirements.ts"
import { RequirementRow } from "./RequirementRow.tsx"
import { faultsOf } from "./RequirementRows.ts"
import { RequirementsHead, RequirementsTable } from "./RequirementsTable.tsx"
import { useRequirementsForm } from "./useRequirementsForm.ts"

export const RequirementsEditor = ({ requirements }: { readonly requirements: DocumentRequirements }) => {
  const form = useRequirementsForm(requirements)
  const { portfolios } = usePortfolioNames()
  // One is edited at a time; the others are read.
  const [opened, setOpened] = useState<string | null>(null)
  const blocker = useBlocker(form.isChanged)
  return (
    <Stack gap="md">
      <Paper withBorder p="md">
        {form.rows.length === 0 ? (
          <EmptyState title={texts.none} description={texts.noneHint} py="md" />
        ) : (
          <Stack gap="sm">
            <Table aria-label={texts.list}>
              <RequirementsHead withActions />
              <Table.Tbody>
                {form.rows.map((row, index) => (
                  <RequirementRow
                    key={row.key}
                    row={row}
                    number={index + 1}
                    {...faultsOf(form.rows, index)}
                    isOpen={row.key === opened}
                    portfolios={portfolios}
                    onOpen={setOpened}
                    onChange={form.change}
                    onRemove={form.remove}
                  />
                ))}
              </Table.Tbody>
            </Table>
            <Text size="sm" c="dimmed">
              {texts.portfolioFirst}
            </Text>
          </Stack>
        )}
      </Paper>
      {form.theirs !== undefined && (
        <Conflict texts={texts} onKeepMine={() => void form.keepMine()} onTakeTheirs={() => void form.takeTheirs()}>
          <Text size="sm">{texts.conflict}</Text>
          <RequirementsTable requirements={form.theirs.requirements} />
        </Conflict>
      )}
      {form.error !== null && <Failure title={texts.failed} error={form.error} />}
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={form.rows.length >= maximumRequirements}
            onClick={() => setOpened(form.add())}
          >
            {texts.add}
          </Button>
          {form.rows.length >= maximumRequirements && <Text size="sm">{texts.atMost(maximumRequirements)}</Text>}
        </Group>
        <Group gap="sm">
          <Button variant="default" disabled={!form.isChanged || form.isSaving} onClick={form.discard}>
            {texts.discard}
          </Button>
          <Button disabled={!form.isChanged || !form.isValid} loading={form.isSaving} onClick={() => void form.save()}>
            {texts.save}
          </Button>
        </Group>
      </Group>
      {blocker.state === "blocked" && (
        <ConfirmDialog
          title={texts.leave.title}
          action={texts.leave.submit}
          onClose={() => blocker.reset()}
          onConfirm={async () => {
            blocker.proceed()
            // The page is left.
            return false
          }}
        >
          <Text size="sm">{texts.leave.explanation}</Text>
        </ConfirmDialog>
      )}
    </Stack>
  )
}
