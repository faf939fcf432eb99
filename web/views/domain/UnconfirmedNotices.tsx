import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { api } from '../../api/client.ts'
import { serverNow } from '../../api/clock.ts'
import { changed, refresh } from '../../api/live/live.ts'
import { isOwnReload } from '../../api/reload.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { session } from '../../api/session/session.ts'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { ActionButton } from '../../ui/page/ActionButton.tsx'
import { LinkButton } from '../../ui/page/Page.tsx'
import { visible } from '../../ui/visible.ts'
import styles from './Notices.module.css'

interface NoticesProps {
  domain: Schemas['Domain']
  changes: readonly Schemas['Change'][]
}

const SECOND_MS = 1000
/** How often the outcome is asked for once the time is over. */
const LOOK_MS = 3000

/** Changes that are reverted unless somebody confirms them: the time left, and both ways out. */
export function UnconfirmedNotices({ domain, changes }: NoticesProps) {
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const own = changes.find(({ actor }) => user !== null && actor.id === user.id)
  const confirmBy = own?.confirmation?.confirmBy ?? null
  return (
    <>
      {changes.map((change) => (
        <UnconfirmedNotice
          key={change.id}
          domain={domain}
          change={change}
          ofMany={isOfMany(change) && (change.actor.id === user?.id || user?.role === 'admin')}
        />
      ))}
      {confirmBy !== null && <LeaveWarning domainId={domain.id} confirmBy={confirmBy} />}
    </>
  )
}

/** Made by an operation over many domains. */
const isOfMany = ({ operationId, source }: Schemas['Change']) =>
  operationId !== null && (source === 'replace' || source === 'template')

interface NoticeProps {
  domain: Schemas['Domain']
  change: Schemas['Change']
  /** The user may decide for all domains of the operation at once. */
  ofMany: boolean
}

function UnconfirmedNotice({ domain, change, ofMany }: NoticeProps) {
  const m = useMessages('later')
  const words = m.later.unconfirmed
  const { moment } = useFormats()
  const { id } = domain
  const { id: changeId, actor, itemCount, confirmation, operationId } = change
  const operation = { id: operationId ?? '' }
  const confirmBy = confirmation?.confirmBy ?? null
  const path = { id, changeId }
  async function confirm() {
    await api.POST('/api/domains/{id}/changes/{changeId}/confirm', { path })
    changed('record', id)
    toast(words.confirmed)
  }
  async function revert() {
    await api.POST('/api/domains/{id}/changes/{changeId}/revert', { path })
    changed('record', id)
    toast(words.reverted)
  }
  async function confirmAll() {
    const { leftCount, hidden } = await api.POST('/api/operations/{id}/confirm', { path: operation })
    changed('record', id)
    toast(leftCount + hidden === 0 ? words.confirmedAll : words.confirmedSome(leftCount + hidden))
  }
  async function revertAll() {
    await api.POST('/api/operations/{id}/revert', { path: operation, body: {} })
    changed('record', id)
    toast(words.revertingAll)
  }
  return (
    <Note
      tone="warn"
      actions={
        <>
          {domain.access !== 'read' && (
            <>
              <ActionButton look="primary" icon="check" onAct={confirm}>
                {words.confirm}
              </ActionButton>
              <ActionButton icon="undo" onAct={revert}>
                {words.revert}
              </ActionButton>
            </>
          )}
          {ofMany && (
            <>
              <ActionButton icon="check" onAct={confirmAll}>
                {words.confirmAll}
              </ActionButton>
              <ActionButton icon="undo" onAct={revertAll}>
                {words.revertAll}
              </ActionButton>
            </>
          )}
          <LinkButton to="/domains/$id/history" params={{ id }} search={{ change: changeId }}>
            {words.show}
          </LinkButton>
        </>
      }
    >
      <div className={styles['countdown']}>
        <span>{words.title(visible(actor.name), itemCount)}</span>
        {confirmBy !== null && (
          <time dateTime={confirmBy} title={moment(confirmBy)} className={styles['left']}>
            <TimeLeft domainId={id} until={confirmBy} />
          </time>
        )}
      </div>
    </Note>
  )
}

/** Minutes and seconds until then; afterwards, asks what became of it. */
function TimeLeft({ domainId, until }: { domainId: string; until: string }) {
  const m = useMessages('later')
  const words = m.later.unconfirmed
  const [now, setNow] = useState(serverNow)
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - now) / SECOND_MS))
  const isOver = seconds === 0
  useEffect(() => {
    const timer = setInterval(
      () => {
        setNow(serverNow())
        if (isOver) refresh('record', domainId)
      },
      isOver ? LOOK_MS : SECOND_MS,
    )
    return () => clearInterval(timer)
  }, [isOver, domainId])
  if (isOver) return words.reverting
  const two = (part: number) => String(part).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  const clock = `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`
  return (
    <>
      <span className="hidden">
        {words.left}
        {m.common.colon}
      </span>
      {clock}
    </>
  )
}

/** Asks before the pages of a domain are left while an own change waits. */
function LeaveWarning({ domainId, confirmBy }: { domainId: string; confirmBy: string }) {
  const m = useMessages('later')
  const words = m.later.unconfirmed
  const { moment } = useFormats()
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ next }) => !next.pathname.startsWith(`/domains/${domainId}/`),
    enableBeforeUnload: () => session.get().user !== null && !isOwnReload(),
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <Confirm
      title={words.leaveTitle}
      action={words.leave}
      sends={false}
      onConfirm={() => Promise.resolve(proceed())}
      onClose={(isDone) => isDone !== true && reset()}
    >
      <p>{words.leaveText(moment(confirmBy))}</p>
    </Confirm>
  )
}
