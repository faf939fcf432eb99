import type { Schemas } from '../../api/schema.d.ts'
import { RadioGroup } from '../../ui/fields/Choice.tsx'
import { useMessages } from '../../ui/language.tsx'

const ROLES = ['member', 'admin'] as const

interface RoleProps {
  value: Schemas['Role']
  onChange: (role: Schemas['Role']) => void
}

/** Choice of a role, with descriptions. */
export function RoleField(props: RoleProps) {
  const { users: words } = useMessages('users')
  return (
    <RadioGroup
      {...props}
      label={words.form.role}
      name="role"
      options={ROLES.map((id) => ({ id, text: words.roles[id], note: words.roleNotes[id] }))}
    />
  )
}
