import type { Schemas } from '../../api/schema.d.ts'
import { CheckboxGroup } from '../fields/CheckboxGroup.tsx'
import { Fields } from '../fields/Form.tsx'
import { useMessages } from '../language.tsx'

type Permission = Schemas['TokenPermission']

const GROUPS = {
  domains: ['domains:read', 'domains:write'],
  records: ['records:read', 'records:write', 'changes:review', 'changes:apply'],
  templates: ['templates:read', 'templates:write'],
  providers: ['providers:read', 'providers:test', 'providers:write'],
  assignments: ['assignments:read', 'assignments:write'],
  notifications: ['notifications:read', 'notifications:write'],
  channels: ['channels:read', 'channels:write'],
  audit: ['audit:read'],
  tokens: ['tokens:read', 'tokens:revoke'],
  special: ['ddns:update', 'acme:challenge'],
} as const satisfies Record<string, readonly Permission[]>

interface PermissionProps {
  chosen: readonly Permission[]
  onChange: (chosen: Permission[]) => void
}

/** Permissions of a token, by area. */
export function PermissionFields({ chosen, onChange }: PermissionProps) {
  const { tokens: words } = useMessages('tokens')
  return (
    <>
      <h3>{words.form.permissions}</h3>
      <p className="muted">{words.form.permissionsHelp}</p>
      <Fields>
        {(Object.keys(GROUPS) as (keyof typeof GROUPS)[]).map((group) => {
          const own: readonly Permission[] = GROUPS[group]
          return (
            <CheckboxGroup
              key={group}
              label={words.groups[group]}
              options={own.map((id) => ({ id, text: words.permissions[id] }))}
              value={own.filter((one) => chosen.includes(one))}
              onChange={(now) => onChange([...chosen.filter((one) => !own.includes(one)), ...now])}
            />
          )
        })}
      </Fields>
    </>
  )
}
