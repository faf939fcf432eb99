import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/schema.d.ts'
import { daysUntil } from '../../ui/fields/dates/dates.ts'
import type { TextsOf } from '../../messages/en.ts'
import type { Formats } from '../../messages/formats.ts'
import { reasonOf } from '../../ui/feedback/Failure.tsx'
import { Badge } from '../../ui/feedback/Note.tsx'
import { Bar } from '../../ui/page/Page.tsx'
import type { Say } from '../../ui/feedback/reasons.ts'
import type { Column } from '../../ui/page/Table.tsx'
import { visible } from '../../ui/visible.ts'
import styles from './Domains.module.css'

type Item = Schemas['DomainListItem']

const TONES = { active: 'good', expiring: 'warn', expired: 'bad' } as const

interface ColumnContext {
  m: TextsOf<'domains' | 'domain'>
  formats: Formats
  /** Ids of domains with unapplied edits. */
  drafts: ReadonlySet<string>
  isAdmin: boolean
  /** Whether the records exist only in this service. */
  isLocal: (domain: Item) => boolean
  say: Say
}

/** Columns of the domain list; groups, tags, providers and owners link to filters. */
export function columnsOf({ m, formats, drafts, isAdmin, isLocal, say }: ColumnContext): Column<Item>[] {
  const { number, day, days, ago, moment } = formats
  const titles = m.domains.columns
  const syncOf = (domain: Item) => {
    const { id, lastSyncError, lastSyncedAt } = domain
    if (isLocal(domain)) return <span className="muted">{m.domains.keptHere}</span>
    if (lastSyncError !== null)
      return (
        <Link
          to="/domains/$id/sync"
          params={{ id }}
          title={
            say(
              reasonOf({
                error: lastSyncError,
                errorCode: domain.lastSyncErrorCode,
                errorParams: domain.lastSyncErrorParams,
              }),
            ).text
          }
        >
          <Badge tone="bad" icon="warning">
            {m.domains.syncBad}
          </Badge>
        </Link>
      )
    if (lastSyncedAt === null) return <span className="muted">{m.domains.neverSynced}</span>
    return (
      <span className="muted" title={moment(lastSyncedAt)}>
        {m.domains.synced(ago(lastSyncedAt))}
      </span>
    )
  }
  return [
    {
      id: 'name',
      title: titles.name,
      head: true,
      sortable: true,
      cell: ({ id, name, unicodeName }) => (
        <Bar>
          <Link to="/domains/$id/records" params={{ id }} title={name}>
            {visible(unicodeName)}
          </Link>
          {drafts.has(id) && (
            <span title={m.domains.draftHelp}>
              <Badge tone="info" icon="edit">
                {m.domains.draft}
              </Badge>
            </span>
          )}
        </Bar>
      ),
    },
    {
      id: 'expiresAt',
      title: titles.expires,
      sortable: true,
      tight: true,
      cell: ({ expiresAt, status }) => (
        <>
          {expiresAt === null ? (
            <div className="muted">{m.domains.noDate}</div>
          ) : (
            <div title={formats.utc(expiresAt)}>
              {day(expiresAt)} <span className="muted">{days(daysUntil(expiresAt))}</span>
            </div>
          )}
          <Badge tone={TONES[status]}>{m.domain.status[status]}</Badge>
        </>
      ),
    },
    {
      id: 'group',
      title: titles.groupAndTags,
      cell: ({ groupName, tags }) =>
        (groupName !== '' || tags.length > 0) && (
          <Bar>
            {groupName !== '' && (
              <Link to="/domains" search={{ group: groupName }}>
                {visible(groupName)}
              </Link>
            )}
            {tags.map((tag) => (
              <Link key={tag} to="/domains" search={{ tag }}>
                <Badge>{visible(tag)}</Badge>
              </Link>
            ))}
          </Bar>
        ),
    },
    {
      id: 'recordCount',
      title: titles.records,
      sortable: true,
      end: true,
      cell: ({ recordCount, unmanaged }) => (
        <>
          {number(recordCount)}
          {unmanaged > 0 && <div className="muted">{m.domains.unmanaged(number(unmanaged))}</div>}
        </>
      ),
    },
    {
      id: 'provider',
      title: titles.providerAndSync,
      cell: (domain) => (
        <div className={styles['two']}>
          <div className={styles['short']} title={visible(domain.providerConfigName ?? domain.providerKey)}>
            <Link to="/domains" search={{ providerConfigId: domain.providerConfigId }}>
              {visible(domain.providerConfigName ?? domain.providerKey)}
            </Link>
          </div>
          {syncOf(domain)}
        </div>
      ),
    },
    ...(isAdmin
      ? [
          {
            id: 'owner',
            title: titles.owner,
            cell: ({ owner }: Item) => (
              <Link to="/domains" search={{ ownerId: owner.id }}>
                {visible(owner.username)}
              </Link>
            ),
          },
        ]
      : []),
  ]
}
