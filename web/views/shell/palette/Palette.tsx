import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
import { usersFoundQuery } from '../../../api/queries/access.ts'
import { domainsQuery } from '../../../api/queries/zones/domains.ts'
import { recordSearchQuery } from '../../../api/queries/zones/many-domains.ts'
import type { Schemas } from '../../../api/schema.d.ts'
import { signOut } from '../../../api/session/session.ts'
import { changeSettings, settings } from '../../../api/settings.ts'
import { readable, visible } from '../../../ui/visible.ts'
import { CommandDialog, type Command, type CommandGroup } from '../../../ui/dialogs/CommandDialog.tsx'
import { LANGUAGES, useLanguage, useMessages } from '../../../ui/language.tsx'
import { useSettled } from '../../../ui/hooks/useSettled.ts'
import { entriesOf } from '../Navigation.tsx'

/** Delay before a search, in milliseconds, and minimum length for records. */
const TYPING_MS = 250
const MIN_FOR_RECORDS = 3
/** Maximum results of each kind. */
const SHOWN = 6

interface PaletteProps {
  role: Schemas['Role']
  onClose: () => void
}

/** Command palette: pages, domains, records, users and actions. */
export function Palette({ role, onClose }: PaletteProps) {
  const m = useMessages('palette', 'shell')
  const words = m.palette
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const search = useSettled(text.trim(), TYPING_MS)
  const found = useFound(search, role)
  const actions = useActions()
  const wanted = text.trim().toLowerCase()
  const fits = ({ text: name, note = '' }: Command) => `${name} ${note}`.toLowerCase().includes(wanted)
  const pages: Command[] = entriesOf(role).map(({ to, icon, text: name }) => ({
    id: `page-${icon}`,
    text: name(m),
    icon,
    onAction: () => void navigate({ to: to ?? '/' }),
  }))
  const all: Command = {
    id: 'search-all',
    text: words.searchAll(text.trim()),
    icon: 'search',
    onAction: () => void navigate({ to: '/search', search: { q: text.trim() } }),
  }
  const groups: CommandGroup[] = [
    { title: words.pages, commands: pages.filter(fits) },
    ...(search === '' ? [] : found),
    { title: words.actions, commands: [...actions.filter(fits), ...(wanted === '' ? [] : [all])] },
  ].filter(({ commands }) => commands.length > 0)
  const count = groups.reduce((sum, { commands }) => sum + commands.length, 0)
  return (
    <CommandDialog
      label={words.label}
      placeholder={words.placeholder}
      text={text}
      onText={setText}
      groups={groups}
      status={count === 0 ? words.none : words.found(count)}
      onClose={onClose}
    />
  )
}

/** Results of the service. */
function useFound(search: string, role: Schemas['Role']): CommandGroup[] {
  const m = useMessages('palette')
  const words = m.palette
  const navigate = useNavigate()
  const asks = search !== ''
  const { data: domains } = useQuery({ ...domainsQuery({ search, limit: SHOWN }), enabled: asks })
  const { data: records } = useQuery({
    ...recordSearchQuery(search, 1, SHOWN),
    enabled: search.length >= MIN_FOR_RECORDS,
  })
  const { data: users } = useQuery({ ...usersFoundQuery(search), enabled: asks && role === 'admin' })
  return [
    {
      title: words.domains,
      commands: (domains?.domains ?? []).map(({ id, unicodeName }) => ({
        id: `domain-${id}`,
        text: visible(unicodeName),
        icon: 'globe' as const,
        onAction: () => void navigate({ to: '/domains/$id/records', params: { id } }),
      })),
    },
    {
      title: words.records,
      commands: (search.length < MIN_FOR_RECORDS ? [] : (records?.records ?? [])).map((one) => ({
        id: `record-${one.id}`,
        text: visible(`${one.name} ${one.recordType} ${one.value}`.slice(0, 80)),
        note: visible(readable(one.domainName)),
        icon: 'text' as const,
        onAction: () =>
          void navigate({
            to: '/domains/$id/records',
            params: { id: one.domainId },
            search: { record: one.id },
          }),
      })),
    },
    {
      title: words.users,
      commands: (users ?? []).slice(0, SHOWN).map(({ id, username }) => ({
        id: `user-${id}`,
        text: visible(username),
        icon: 'user' as const,
        onAction: () => void navigate({ to: '/users/$id', params: { id } }),
      })),
    },
  ]
}

/** Actions available anywhere. */
function useActions(): Command[] {
  const m = useMessages('palette', 'shell')
  const language = useLanguage()
  const navigate = useNavigate()
  const { theme } = useSyncExternalStore(settings.subscribe, settings.get)
  return [
    {
      id: 'add-domain',
      text: m.palette.addDomain,
      icon: 'plus',
      onAction: () => void navigate({ to: '/domains/add' }),
    },
    {
      id: 'account',
      text: m.shell.account,
      icon: 'settings',
      onAction: () => void navigate({ to: '/account' }),
    },
    ...(['system', 'light', 'dark'] as const)
      .filter((other) => other !== theme)
      .map((other) => ({
        id: `theme-${other}`,
        text: `${m.shell.theme}${m.common.colon}${m.shell.themes[other]}`,
        onAction: () => changeSettings({ theme: other }),
      })),
    ...LANGUAGES.filter(({ id }) => id !== language).map(({ id, name }) => ({
      id: `language-${id}`,
      text: `${m.shell.language}${m.common.colon}${name}`,
      onAction: () => changeSettings({ language: id }),
    })),
    { id: 'sign-out', text: m.shell.signOut, icon: 'door', onAction: () => void signOut() },
  ]
}
