import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/page/Button.tsx'
import { Select } from '../../ui/fields/Choice.tsx'
import { DateField } from '../../ui/fields/dates/DateField.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Bar } from '../../ui/page/Page.tsx'
import { ORIGINS } from '../../ui/origins.ts'
import styles from './Audit.module.css'

const ANY = '*'

/** Delay before a typed filter applies, in milliseconds. */
const TYPING_MS = 400

/** Times in the address may be invalid. */
const momentOf = (text = '') => (Number.isNaN(Date.parse(text)) ? null : new Date(text).toISOString())

/** Filters of the audit log, kept in the address. */
export function Filters() {
  const { audit: words, history } = useMessages('audit', 'history')
  const { page: _page, ...search } = useSearch({ from: '/inside/audit' })
  const navigate = useNavigate({ from: '/audit' })
  const [actor, setActor] = useState(search.actor ?? '')
  const [token, setToken] = useState(search.token ?? '')
  const set = (change: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...change }, replace: true })

  useEffect(() => setActor(search.actor ?? ''), [search.actor])
  useEffect(() => setToken(search.token ?? ''), [search.token])
  useEffect(() => {
    if (actor.trim() === (search.actor ?? '') && token.trim() === (search.token ?? '')) return
    const typed = { actor: actor.trim() || undefined, token: token.trim() || undefined }
    const timer = setTimeout(() => set(typed), TYPING_MS)
    return () => clearTimeout(timer)
  })

  const actions = Object.entries(words.actions)
  const options = Object.entries(words.areas).flatMap(([area, text]) => {
    const own = actions.filter(([action]) => action.startsWith(`${area}.`))
    return own.length === 0
      ? []
      : [
          { id: `${area}.*`, text: words.allOf(text) },
          ...own.map(([id, one]) => ({ id, text: one, note: text })),
        ]
  })
  const isOne = search.target !== undefined && !(search.target in words.targets)
  return (
    <div role="group" aria-label={words.filters} className={styles['filters']}>
      <TextField
        isRequired={false}
        label={words.actor}
        placeholder={words.actorHelp}
        autoComplete="off"
        value={actor}
        onChange={setActor}
      />
      <TextField
        isRequired={false}
        label={history.tokenFilter}
        autoComplete="off"
        value={token}
        onChange={setToken}
      />
      <Select
        label={history.origin}
        value={search.origin ?? ANY}
        onChange={(origin) => set({ origin: ORIGINS.find((one) => one === origin) })}
        options={[
          { id: ANY, text: history.anyOrigin },
          ...ORIGINS.map((id) => ({ id, text: history.origins[id] })),
        ]}
      />
      <Select
        label={words.action}
        value={search.action ?? ANY}
        onChange={(id) => set({ action: id === ANY ? undefined : id })}
        options={[{ id: ANY, text: words.anyAction }, ...options]}
      />
      {isOne ? (
        <Bar>
          <Button icon="close" onPress={() => set({ target: undefined })}>
            {words.only(search.target?.slice(0, 8) ?? '')}
          </Button>
        </Bar>
      ) : (
        <Select
          label={words.target}
          value={search.target ?? ANY}
          onChange={(id) => set({ target: id === ANY ? undefined : id })}
          options={[
            { id: ANY, text: words.anyTarget },
            ...Object.entries(words.targets).map(([id, text]) => ({ id, text })),
          ]}
        />
      )}
      <DateField
        isFilter
        label={words.from}
        value={momentOf(search.from)}
        onChange={(from) => set({ from: from ?? undefined })}
      />
      <DateField
        isFilter
        label={words.to}
        value={momentOf(search.to)}
        onChange={(to) => set({ to: to ?? undefined })}
      />
    </div>
  )
}
