/**
 * One requirement of the editor: a row to read, or its fields.
 */
import { ActionIcon, Button, Group, Input, Table } from "@mantine/core"
import { memo } from "react"
import { IconPencil, IconTrash } from "../shell/icons.ts"
import { documentTexts } from "../texts/en/documents.ts"
import { requirementTexts as texts } from "../texts/en/requirements.ts"
import { RequirementFields, type RequirementFieldsProps } from "./RequirementFields.tsx"
import { RequirementCells } from "./RequirementsTable.tsx"

interface Props extends RequirementFieldsProps {
  readonly isOpen: boolean
  /** With null no row is edited. */
  readonly onOpen: (key: string | null) => void
  readonly onRemove: (key: string) => void
}

const columns = 5

const RowToRead = ({ number, onOpen, onRemove, portfolios, row, ...faults }: Omit<Props, "isOpen" | "onChange">) => {
  const { documentType, expiringWithin, key, portfolioId, validityRequired } = row
  const portfolio = portfolios.find(({ id }) => id === portfolioId)
  const fault = faults.documentType ?? faults.expiringWithin
  return (
    <>
      <Table.Tr>
        <RequirementCells
          type={documentType === null ? texts.chooseType : documentTexts.documentTypes[documentType]}
          sites={portfolioId === null ? texts.allSites : (portfolio?.name ?? texts.formerPortfolio)}
          validityRequired={validityRequired}
          days={texts.daysBefore(expiringWithin)}
        />
        <Table.Td>
          <Group gap={4} wrap="nowrap" justify="flex-end">
            <ActionIcon variant="subtle" color="gray" aria-label={texts.edit(number)} onClick={() => onOpen(key)}>
              <IconPencil size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon variant="subtle" color="gray" aria-label={texts.remove(number)} onClick={() => onRemove(key)}>
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        </Table.Td>
      </Table.Tr>
      {fault !== undefined && (
        <Table.Tr>
          <Table.Td colSpan={columns}>
            <Input.Error>{fault}</Input.Error>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}

const Row = ({ isOpen, onChange, ...props }: Props) => {
  if (!isOpen) return <RowToRead {...props} />
  const { number, onOpen, onRemove, row } = props
  return (
    <Table.Tr>
      <Table.Td colSpan={columns}>
        <RequirementFields {...props} onChange={onChange} />
        <Group gap="xs" justify="flex-end" mt="xs">
          <Button size="xs" variant="subtle" aria-label={texts.remove(number)} onClick={() => onRemove(row.key)}>
            {texts.removeShort}
          </Button>
          <Button size="xs" variant="default" onClick={() => onOpen(null)}>
            {texts.done}
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}

/** Typing in one of 200 rows renders that row only. */
export const RequirementRow = memo(Row)
