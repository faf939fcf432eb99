import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Select } from '../../ui/fields/Choice.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { useMessages } from '../../ui/language.tsx'
import styles from './Users.module.css'

/** Value of "any". */
const ANY = 'any'

/** Delay before a typed filter applies, in milliseconds. */
const TYPING_MS = 300

const ROLES = ['admin', 'member'] as const
const KINDS = ['person', 'machine'] as const

/** Filters of the account list, kept in the address. */
export function Filters() {
  const m = useMessages('users')
  const words = m.users
  const { page: _page, ...search } = useSearch({ from: '/inside/users' })
  const navigate = useNavigate({ from: '/users' })
  const [typed, setTyped] = useState(search.search ?? '')
  const set = (change: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...change }, replace: true })

  useEffect(() => setTyped(search.search ?? ''), [search.search])
  useEffect(() => {
    if (typed === (search.search ?? '')) return
    const timer = setTimeout(() => set({ search: typed || undefined }), TYPING_MS)
    return () => clearTimeout(timer)
  })
  return (
    <div role="group" aria-label={words.filters} className={styles['filters']}>
      <div className={styles['search']}>
        <SearchField label={words.search} value={typed} onChange={setTyped} />
      </div>
      <Select
        quiet
        label={words.columns.role}
        value={search.role ?? ANY}
        onChange={(id) => set({ role: ROLES.find((one) => one === id) })}
        options={[{ id: ANY, text: words.anyRole }, ...ROLES.map((id) => ({ id, text: words.roles[id] }))]}
      />
      <Select
        quiet
        label={words.columns.kind}
        value={search.kind ?? ANY}
        onChange={(id) => set({ kind: KINDS.find((one) => one === id) })}
        options={[
          { id: ANY, text: words.anyKind },
          ...KINDS.map((id) => ({ id, text: words.kindsMany[id] })),
        ]}
      />
    </div>
  )
}
