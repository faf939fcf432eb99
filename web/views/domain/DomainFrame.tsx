import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { Suspense, useSyncExternalStore } from 'react'
import { lastApplied } from '../../api/applied.ts'
import { changesQuery } from '../../api/queries/zones/changes.ts'
import { domainQuery } from '../../api/queries/zones/domains.ts'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Badge } from '../../ui/feedback/Note.tsx'
import { Bar, Page, TabLinks } from '../../ui/page/Page.tsx'
import { DomainName } from '../../ui/feedback/ProblemNote.tsx'
import { visible } from '../../ui/visible.ts'
import { AppliedNotice, UnconfirmedNotices } from './late-notices.ts'

const TONES = { active: 'good', expiring: 'warn', expired: 'bad' } as const

/** Frame of a domain's pages. */
export function DomainFrame() {
  const m = useMessages('domain')
  const { day } = useFormats()
  const { id } = useParams({ from: '/inside/domains/$id' })
  const { data: domain } = useSuspenseQuery(domainQuery(id))
  const { data: unconfirmed } = useQuery(changesQuery(id, { status: 'unconfirmed' }))
  const applied = useSyncExternalStore(lastApplied.subscribe, lastApplied.get)
  const params = { id }
  return (
    <Page
      wide
      title={visible(domain.unicodeName)}
      about={
        <Bar>
          <Badge tone={TONES[domain.status]}>{m.domain.status[domain.status]}</Badge>
          {domain.expiresAt !== null && <span>{m.domain.expires(day(domain.expiresAt))}</span>}
          {domain.driftFoundAt !== null && (
            <Link to="/domains/$id/sync" params={params}>
              <Badge tone="warn">{m.domain.outOfSync}</Badge>
            </Link>
          )}
          {domain.unicodeName !== domain.name && <code>{domain.name}</code>}
        </Bar>
      }
    >
      <TabLinks
        label={m.domain.tabs}
        tabs={[
          { text: m.domain.records, link: { to: '/domains/$id/records', params } },
          { text: m.domain.history, link: { to: '/domains/$id/history', params } },
          { text: m.domain.changeRequests, link: { to: '/domains/$id/change-requests', params } },
          { text: m.domain.health, link: { to: '/domains/$id/health', params } },
          { text: m.domain.sync, link: { to: '/domains/$id/sync', params } },
          { text: m.domain.mirrors, link: { to: '/domains/$id/mirrors', params } },
          { text: m.domain.access, link: { to: '/domains/$id/access', params } },
          { text: m.domain.settings, link: { to: '/domains/$id/settings', params } },
        ]}
      />
      {unconfirmed && unconfirmed.total > 0 && (
        <Suspense>
          <UnconfirmedNotices domain={domain} changes={unconfirmed.changes} />
        </Suspense>
      )}
      {applied !== null && applied.domainId === id && (
        <Suspense>
          <AppliedNotice domainId={id} changeId={applied.changeId} />
        </Suspense>
      )}
      <DomainName value={domain.name}>
        <Outlet />
      </DomainName>
    </Page>
  )
}
