/**
 * Chooses a role that the user may give.
 */
import { Radio, Stack } from "@mantine/core"
import { mayManage, type Role, roles } from "../api/people.ts"
import { useSession } from "../shell/session.ts"
import { peopleTexts } from "../texts/en/people.ts"
import { roleTexts } from "../texts/en/roles.ts"

interface Props {
  readonly value: Role
  readonly onChange: (role: Role) => void
}

export const RoleChoice = ({ onChange, value }: Props) => {
  const { user } = useSession()
  // Own roles are only lowered, and owners alone have all to choose from.
  const possible = roles.filter((role) => mayManage(user.role, role) || roles.indexOf(role) >= roles.indexOf(user.role))
  return (
    <Radio.Group label={peopleTexts.accessDialog.role} value={value}>
      <Stack gap="xs" mt="xs">
        {possible.map((role) => (
          <Radio
            key={role}
            value={role}
            label={roleTexts[role].name}
            description={roleTexts[role].description}
            onChange={() => onChange(role)}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
