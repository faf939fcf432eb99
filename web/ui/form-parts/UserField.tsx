import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useSyncExternalStore } from 'react'
import { usersFoundQuery } from '../../api/queries/access.ts'
import { session } from '../../api/session/session.ts'
import { ComboBox } from '../fields/ComboBox.tsx'
import { useMessages } from '../language.tsx'

interface UserProps {
  value: string
  onChange: (username: string) => void
  label?: string
  /** Id of a chosen suggestion. */
  onChoose?: (id: string) => void
  optional?: boolean
}

/** A user by name; administrators get suggestions, because they can list users. */
export function UserField({ value, onChange, label, onChoose, optional }: UserProps) {
  const m = useMessages('access')
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const search = useDeferredValue(value.trim())
  const { data: users = [] } = useQuery({ ...usersFoundQuery(search), enabled: user?.role === 'admin' })
  return (
    <ComboBox
      label={label ?? m.access.form.user}
      name="username"
      {...(user?.role === 'admin' && { help: m.access.form.userHelp })}
      value={value}
      onChange={onChange}
      {...(onChoose && { onChoose })}
      {...(optional && { optional })}
      options={users.map(({ id, username, displayName }) => ({
        id,
        text: username,
        ...(displayName !== null && { note: displayName }),
      }))}
    />
  )
}
