import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { groupsQuery, tagsQuery } from '../../api/queries/zones/domains.ts'
import { providerConfigsQuery } from '../../api/queries/providers.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Select, Switch, type Option } from '../../ui/fields/Choice.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Bar } from '../../ui/page/Page.tsx'
import { visible } from '../../ui/visible.ts'
import styles from './Domains.module.css'

/** Value of "any"; names never begin with this character. */
const ANY = '*'
const keyOf = (value: string | undefined) => (value === undefined ? ANY : `=${value}`)
const valueOf = (key: string) => (key === ANY ? undefined : key.slice(1))

/** Delay before a typed filter applies, in milliseconds. */
const TYPING_MS = 300

/** Filters of the domain list, kept in the address. */
export function Filters({ ownerName }: { ownerName: string | undefined }) {
  const m = useMessages('domain', 'domains')
  const { day } = useFormats()
  const { page: _page, ...search } = useSearch({ from: '/inside/domains' })
  const navigate = useNavigate({ from: '/domains' })
  const { data: groups = [] } = useQuery(groupsQuery)
  const { data: tags = [] } = useQuery(tagsQuery)
  const { data: configs = [] } = useQuery(providerConfigsQuery)
  const [typed, setTyped] = useState(search.search ?? '')
  const set = (change: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...change }, replace: true })

  useEffect(() => setTyped(search.search ?? ''), [search.search])
  useEffect(() => {
    if (typed === (search.search ?? '')) return
    const timer = setTimeout(() => set({ search: typed || undefined }), TYPING_MS)
    return () => clearTimeout(timer)
  })

  const options = (any: string, names: readonly string[], now: string | undefined): Option[] => [
    { id: ANY, text: any },
    // Keep a filter from the address visible even if nothing matches it.
    ...[...new Set([...names, ...(now === undefined ? [] : [now])])].map((name) => ({
      id: keyOf(name),
      text: visible(name),
    })),
  ]
  const { status: words } = m.domain
  const chips = [
    { key: 'ownerId', text: search.ownerId && m.domains.ofOwner(ownerName ?? search.ownerId) },
    { key: 'expiresAfter', text: search.expiresAfter && m.domains.expiresFrom(day(search.expiresAfter)) },
    {
      key: 'expiresBefore',
      text: search.expiresBefore && m.domains.expiresUntil(day(search.expiresBefore)),
    },
  ].flatMap(({ key, text }) => (text === undefined || text === '' ? [] : [{ key, text }]))

  return (
    <div role="group" aria-label={m.domains.filters} className={styles['filters']}>
      <div className={styles['search']}>
        <SearchField label={m.domains.search} value={typed} onChange={setTyped} />
      </div>
      <Select
        quiet
        label={m.domains.status}
        value={keyOf(search.status)}
        onChange={(key) => set({ status: valueOf(key) as typeof search.status })}
        options={[
          { id: ANY, text: m.domains.anyStatus },
          ...(['active', 'expiring', 'expired'] as const).map((one) => ({
            id: keyOf(one),
            text: words[one],
          })),
        ]}
      />
      <Select
        quiet
        label={m.domains.group}
        value={keyOf(search.group)}
        onChange={(key) => set({ group: valueOf(key) })}
        options={options(m.domains.anyGroup, groups, search.group)}
      />
      <Select
        quiet
        label={m.domains.tag}
        value={keyOf(search.tag)}
        onChange={(key) => set({ tag: valueOf(key) })}
        options={options(m.domains.anyTag, tags, search.tag)}
      />
      <Select
        quiet
        label={m.domains.provider}
        value={keyOf(search.providerConfigId)}
        onChange={(key) => set({ providerConfigId: valueOf(key) })}
        options={[
          { id: ANY, text: m.domains.anyProvider },
          ...configs.map(({ id, name }) => ({ id: keyOf(id), text: visible(name) })),
        ]}
      />
      <Switch isSelected={search.syncFailed === true} onChange={(on) => set({ syncFailed: on || undefined })}>
        {m.domains.syncFailed}
      </Switch>
      {chips.length > 0 && (
        <Bar>
          {chips.map(({ key, text }) => (
            <Button
              key={key}
              icon="close"
              aria-label={m.domains.leaveOut(text)}
              onPress={() => set({ [key]: undefined })}
            >
              {text}
            </Button>
          ))}
        </Bar>
      )}
    </div>
  )
}
