import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { api } from '../../api/client.ts'
import { twoFactorQuery } from '../../api/queries/account.ts'
import { providerConfigsQuery } from '../../api/queries/providers.ts'
import { session } from '../../api/session/session.ts'
import { changeSettings, settings } from '../../api/settings.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Icon } from '../../ui/page/Icon.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Card } from '../../ui/page/Page.tsx'
import styles from './Dashboard.module.css'

/** State of the first steps, from data, not from clicks. Null until loaded. */
function useFacts(domains: number | undefined, isAdmin: boolean) {
  const { data: twoFactor } = useQuery(twoFactorQuery)
  const { data: configs } = useQuery(providerConfigsQuery)
  const { data: first } = useQuery({
    queryKey: ['domains', 'most-records'],
    queryFn: ({ signal }) =>
      api.GET('/api/domains', {
        query: { limit: 1, sort: 'recordCount', order: 'desc' },
        signal,
      }),
    enabled: (domains ?? 0) > 0,
  })
  const { data: dated } = useQuery({
    queryKey: ['domains', 'dated'],
    queryFn: ({ signal }) =>
      api.GET('/api/domains', {
        query: { limit: 1, expiresAfter: '1990-01-01T00:00:00.000Z' },
        signal,
      }),
    enabled: (domains ?? 0) > 0,
  })
  const { data: users } = useQuery({
    queryKey: ['users', 'count'],
    queryFn: ({ signal }) => api.GET('/api/users', { query: { limit: 1 }, signal }),
    enabled: isAdmin,
  })
  const { data: channels } = useQuery({
    queryKey: ['channels'],
    queryFn: ({ signal }) => api.GET('/api/notifications/configs', { signal }),
    enabled: isAdmin,
  })
  const isKnown =
    twoFactor &&
    configs &&
    domains !== undefined &&
    (domains === 0 || (first && dated)) &&
    (!isAdmin || (users && channels))
  // Don't show steps as open while their state is unknown.
  if (!isKnown) return null
  return {
    secured: twoFactor?.enabled === true || (twoFactor?.passkeys ?? 0) > 0,
    provider: (configs?.length ?? 0) > 0,
    domains: (domains ?? 0) > 0,
    records: (first?.domains[0]?.recordCount ?? 0) > 0,
    expiry: (dated?.total ?? 0) > 0,
    people: (users?.total ?? 0) > 1,
    outside: (channels?.configs.length ?? 0) > 0,
    https: location.protocol === 'https:',
    firstDomain: first?.domains[0]?.id,
  }
}

type Facts = NonNullable<ReturnType<typeof useFacts>>

/** First steps, checked off by facts; can be hidden. */
export function Guide({ domains }: { domains: number | undefined }) {
  const m = useMessages('dashboard')
  const words = m.dashboard.guide
  const { guideClosed } = useSyncExternalStore(settings.subscribe, settings.get)
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const isAdmin = user?.role === 'admin'
  const facts = useFacts(domains, isAdmin)
  if (!facts) return null
  const steps: { id: Exclude<keyof Facts, 'firstDomain'>; link: LinkProps | null; admin?: boolean }[] = [
    { id: 'secured', link: { to: '/account/security' } },
    { id: 'provider', link: { to: '/providers' } },
    { id: 'domains', link: { to: '/domains/add' } },
    {
      id: 'records',
      link: facts.firstDomain
        ? { to: '/domains/$id/records', params: { id: facts.firstDomain } }
        : { to: '/domains' },
    },
    { id: 'expiry', link: { to: '/domains' } },
    { id: 'people', link: { to: '/users/invitations' }, admin: true },
    { id: 'outside', link: { to: '/channels' }, admin: true },
    { id: 'https', link: null, admin: true },
  ]
  const shown = steps.filter(({ admin }) => isAdmin || admin !== true)
  const isAllDone = shown.every(({ id }) => facts[id])
  if (isAllDone) return null
  if (guideClosed) {
    return (
      <p>
        <Button look="link" onPress={() => changeSettings({ guideClosed: false })}>
          {words.open}
        </Button>
      </p>
    )
  }
  return (
    <Card
      title={words.title}
      actions={
        <Button look="plain" icon="close" iconOnly onPress={() => changeSettings({ guideClosed: true })}>
          {words.close}
        </Button>
      }
    >
      <ol className={styles['steps']}>
        {shown.map(({ id, link }) => (
          <li key={id} className={facts[id] ? styles['done'] : ''}>
            <span className={styles['tick']}>
              <Icon name="check" size={14} />
            </span>
            <span>
              {words[id].text}
              {facts[id] && <span className="hidden"> ({words.done})</span>}
            </span>
            {!facts[id] &&
              (link ? (
                <Link {...link}>{words[id].action}</Link>
              ) : (
                <a href="/guide/operations.md">{words[id].action}</a>
              ))}
          </li>
        ))}
      </ol>
    </Card>
  )
}
