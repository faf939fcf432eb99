import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { recordTypesQuery } from '../../api/queries/zones/domains.ts'
import { Select } from '../../ui/fields/Choice.tsx'
import { DateField } from '../../ui/fields/dates/DateField.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { useMessages } from '../../ui/language.tsx'
import { ORIGINS } from '../../ui/origins.ts'
import { useSettled } from '../../ui/hooks/useSettled.ts'
import styles from './History.module.css'

const ANY = '*'
/** `unconfirmed` is no status of a change: it is applied, and reverted unless it is confirmed. */
const STATUSES = ['scheduled', 'unconfirmed', 'pending', 'applied', 'partial', 'failed', 'cancelled'] as const
/** Delay before a typed filter applies, in milliseconds. */
const TYPING_MS = 400

/** Filters of the history, kept in the address. */
export function HistoryFilters() {
  const m = useMessages('history', 'later')
  const words = m.history
  const { page: _page, ...search } = useSearch({ from: '/inside/domains/$id/history' })
  const navigate = useNavigate({ from: '/domains/$id/history' })
  const { data: types = [] } = useQuery(recordTypesQuery)
  const [name, setName] = useState(search.name ?? '')
  const [actor, setActor] = useState(search.actor ?? '')
  const [token, setToken] = useState(search.token ?? '')
  const settled = useSettled(`${name}\n${actor}\n${token}`, TYPING_MS)
  const set = (change: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...change }), replace: true })

  useEffect(() => {
    const [typedName = '', typedActor = '', typedToken = ''] = settled.split('\n').map((text) => text.trim())
    void navigate({
      search: (before) =>
        (before.name ?? '') === typedName &&
        (before.actor ?? '') === typedActor &&
        (before.token ?? '') === typedToken
          ? before
          : {
              ...before,
              page: undefined,
              name: typedName || undefined,
              actor: typedActor || undefined,
              token: typedToken || undefined,
            },
      replace: true,
    })
  }, [settled, navigate])
  useEffect(() => setName(search.name ?? ''), [search.name])
  useEffect(() => setActor(search.actor ?? ''), [search.actor])
  useEffect(() => setToken(search.token ?? ''), [search.token])

  return (
    <div role="group" aria-label={words.filters} className={styles['filters']}>
      <TextField
        isRequired={false}
        label={words.name}
        value={name}
        onChange={setName}
        placeholder="www"
        mono
      />
      <Select
        label={m.common.status}
        value={search.status ?? ANY}
        onChange={(status) => set({ status: STATUSES.find((one) => one === status) })}
        options={[
          { id: ANY, text: words.anyStatus },
          ...STATUSES.map((id) => ({
            id,
            text: id === 'unconfirmed' ? m.later.status.unconfirmed : words.status[id],
          })),
        ]}
      />
      <Select
        label={words.type}
        value={search.type ?? ANY}
        onChange={(type) => set({ type: type === ANY ? undefined : type })}
        options={[{ id: ANY, text: words.anyType }, ...types.map(({ type }) => ({ id: type, text: type }))]}
      />
      <TextField
        isRequired={false}
        label={words.actor}
        value={actor}
        onChange={setActor}
        autoComplete="off"
      />
      <TextField
        isRequired={false}
        label={words.tokenFilter}
        value={token}
        onChange={setToken}
        autoComplete="off"
      />
      <Select
        label={words.origin}
        value={search.origin ?? ANY}
        onChange={(origin) => set({ origin: ORIGINS.find((one) => one === origin) })}
        options={[
          { id: ANY, text: words.anyOrigin },
          ...ORIGINS.map((id) => ({ id, text: words.origins[id] })),
        ]}
      />
      <DateField
        isFilter
        withTime
        label={words.from}
        value={momentOf(search.from)}
        onChange={(from) => set({ from: from ?? undefined })}
      />
      <DateField
        isFilter
        withTime
        label={words.to}
        value={momentOf(search.to)}
        onChange={(to) => set({ to: to ?? undefined })}
      />
    </div>
  )
}

/** Values in the address may be invalid. */
const momentOf = (text: string | undefined): string | null =>
  text === undefined || Number.isNaN(Date.parse(text)) ? null : new Date(text).toISOString()
