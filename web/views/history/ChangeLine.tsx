import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useId } from 'react'
import { changeQuery } from '../../api/queries/zones/changes.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { unchangedOf } from '../../zone/diff.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Diff } from '../../ui/plan/Diff.tsx'
import { Failure } from '../../ui/feedback/Failure.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Badge } from '../../ui/feedback/Note.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { visible } from '../../ui/visible.ts'
import { Verification } from '../../ui/verification/late-verification.ts'
import { Via } from '../../ui/Via.tsx'
import { ConfirmationBadge, Later } from './Later.tsx'
import { WayBack } from './WayBack.tsx'
import styles from './History.module.css'

const TONES = {
  pending: 'warn',
  applied: 'good',
  partial: 'warn',
  failed: 'bad',
  scheduled: 'info',
  cancelled: 'warn',
} as const

interface LineProps {
  domain: Schemas['Domain']
  change: Schemas['Change']
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

/** One change: user, time, origin, counts; expanded, its records. */
export function ChangeLine({ domain, change, isOpen, onOpen }: LineProps) {
  const m = useMessages('history', 'later')
  const { moment, ago, utc } = useFormats()
  const words = m.history
  const id = useId()
  const { actor, origin, token, createdAt, source, status, items, itemCount } = change
  const { applyAt, confirmation } = change
  const { changeRequestId, requestedBy, emergencyReason } = change
  const of = (action: Schemas['ChangeAction']) => items.filter((item) => item.action === action).length
  const names = [...new Set(items.map(({ before, after }) => (after ?? before)?.name ?? ''))].slice(0, 3)
  return (
    <li className={styles['change']}>
      <div className={styles['line']}>
        <Button
          look="plain"
          icon={isOpen ? 'down' : 'right'}
          iconOnly
          aria-expanded={isOpen}
          {...(isOpen && { 'aria-controls': id })}
          onPress={() => onOpen(!isOpen)}
        >
          {`${isOpen ? words.hide : words.show}${m.common.colon}${moment(createdAt)}`}
        </Button>
        <span className={styles['what']}>
          <strong>{visible(actor.name || words.service)}</strong> · {words.sources[source]}
          {origin !== null && (
            <span className="muted">
              {' '}
              · <Via origin={origin} token={token} />
            </span>
          )}
          {emergencyReason !== null && (
            <div>
              <Badge tone="warn">{words.emergency}</Badge> {visible(emergencyReason)}
            </div>
          )}
          {changeRequestId !== null && (
            <div>
              <Link to="/change-requests/$id" params={{ id: changeRequestId }}>
                {requestedBy === null ? words.changeRequest : words.requestedBy(visible(requestedBy))}
              </Link>
            </div>
          )}
          {applyAt !== null && status === 'scheduled' && (
            <div>
              <time dateTime={applyAt} title={utc(applyAt)}>
                {m.later.appliedAt(moment(applyAt), ago(applyAt))}
              </time>
            </div>
          )}
          <div className="muted">
            <span className="mono">{visible(names.join(', '))}</span> ·{' '}
            {items.length === itemCount
              ? words.counts(of('create'), of('update'), of('delete'))
              : words.items(itemCount)}
          </div>
        </span>
        {change.changedOutside && <Badge tone="info">{words.changedOutside}</Badge>}
        {confirmation && <ConfirmationBadge confirmation={confirmation} />}
        {status !== 'applied' && <Badge tone={TONES[status]}>{words.status[status]}</Badge>}
        <time dateTime={createdAt} title={utc(createdAt)}>
          {moment(createdAt)} <span className="muted">{ago(createdAt)}</span>
        </time>
      </div>
      {isOpen && (
        <div id={id} className={styles['opened']}>
          <Opened domain={domain} change={change} />
        </div>
      )}
    </li>
  )
}

function Opened({ domain, change: { id } }: Pick<LineProps, 'domain' | 'change'>) {
  const m = useMessages('history')
  const words = m.history
  const { data: change, error, refetch } = useQuery(changeQuery(domain.id, id))
  if (error) return <ProblemNote error={error} retry={() => void refetch()} />
  if (!change) return <Loading lines={3} />
  // Nothing has been sent to the provider.
  const isWaiting = change.status === 'scheduled' || change.status === 'cancelled'
  const noteOf = ({ outcome, error: reason, errorCode }: Schemas['Change']['items'][number]) => {
    if (outcome === 'failed')
      return (
        <>
          {words.outcome.failed} {reason !== null && <Failure error={reason} errorCode={errorCode} />}
        </>
      )
    return outcome === 'pending' && !isWaiting ? words.outcome.pending : null
  }
  return (
    <>
      <Diff
        label={words.diff}
        unchanged={unchangedOf(change.unchanged ?? [], change.items)}
        entries={change.items.map((item, at) => {
          const note = noteOf(item)
          return {
            id: `${item.recordId}-${at}`,
            before: item.before,
            after: item.after,
            ...(note !== null && { note }),
          }
        })}
      />
      <Later domain={domain} change={change} />
      {(change.status === 'applied' || change.status === 'partial') && (
        <Suspense fallback={<Loading lines={2} />}>
          <Verification domainId={domain.id} changeId={change.id} />
        </Suspense>
      )}
      {domain.access !== 'read' && !isWaiting && <WayBack domain={domain} change={change} />}
    </>
  )
}
