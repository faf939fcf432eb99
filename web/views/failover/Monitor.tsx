import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { Badge, Note, type Tone } from '../../ui/feedback/Note.tsx'
import { ReasonList } from '../../ui/feedback/ReasonList.tsx'
import { warned } from '../../ui/feedback/reasons.ts'
import { toast } from '../../ui/feedback/Toast.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { ActionButton } from '../../ui/page/ActionButton.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { Bar, Card, Facts } from '../../ui/page/Page.tsx'
import { readable, visible } from '../../ui/visible.ts'
import { Alternative } from './Alternative.tsx'
import { MonitorDialog } from './late-monitor.ts'
import styles from './Failover.module.css'

const TONES: Record<Schemas['FailoverState'], Tone> = {
  preferred: 'good',
  failed_over: 'warn',
  down: 'bad',
  undecided: 'plain',
  maintenance: 'info',
  paused: 'warn',
  unapproved: 'warn',
}

/** One monitor: its state, its alternatives, and what the user may do. */
export function Monitor({ monitor }: { monitor: Schemas['FailoverMonitor'] }) {
  const m = useMessages('failover')
  const words = m.failover
  const { ago, moment, number } = useFormats()
  const [target, setTarget] = useState<Schemas['FailoverAlternative'] | null>(null)
  const [force, setForce] = useState(false)
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null)
  const { id, domainId, domainName, name, recordType, state, isSwitching, paused, problem, warnings } =
    monitor
  const { switchedAt, switchedBy, changeId, canWrite, canApprove, revision, nextCheckAt, checkedAt } = monitor
  const path = { id }
  const done = () => changed('failover', domainId)
  const resume = async () => {
    await api.POST('/api/failover-monitors/{id}/resume', { path })
    done()
  }
  const pause = async () => {
    await api.POST('/api/failover-monitors/{id}/pause', { path })
    done()
  }
  const approve = async () => {
    await api.POST('/api/failover-monitors/{id}/approve', { path, body: { revision } })
    done()
  }
  const when = (at: string | null) => (at === null ? m.common.never : m.common.beside(moment(at), ago(at)))
  return (
    <Card
      title={`${visible(name)} ${recordType}`}
      actions={<Badge tone={TONES[state]}>{words.state[state]}</Badge>}
    >
      <Link to="/domains/$id/records" params={{ id: domainId }}>
        {visible(readable(domainName))}
      </Link>
      {isSwitching && <Note tone="info">{words.switching}</Note>}
      {paused !== null && <Note tone="warn">{words.pauses[paused]}</Note>}
      {problem !== null && <Note tone="bad">{words.problems[problem] ?? problem}</Note>}
      {warnings.length > 0 && (
        <Note tone="warn">
          <ReasonList reasons={warnings.map(warned)} />
        </Note>
      )}
      <ul className={styles['alternatives']}>
        {monitor.alternatives.map((alternative) => (
          <Alternative
            key={alternative.name}
            alternative={alternative}
            onSwitch={canWrite && !alternative.isActive ? () => setTarget(alternative) : null}
          />
        ))}
      </ul>
      <Facts
        facts={[
          [words.next, when(nextCheckAt)],
          [words.last, when(checkedAt)],
          [words.interval, words.every(monitor.intervalSeconds)],
          [words.instances, number(monitor.instances)],
          [
            words.switched,
            switchedBy === null ? when(switchedAt) : `${when(switchedAt)} ${words.causes[switchedBy]}`,
          ],
        ]}
      />
      <Bar>
        {canWrite && paused !== null && <ActionButton onAct={resume}>{words.resume}</ActionButton>}
        {canWrite && paused === null && <ActionButton onAct={pause}>{words.pause}</ActionButton>}
        {canApprove && (
          <ActionButton look="primary" icon="check" onAct={approve}>
            {words.approve}
          </ActionButton>
        )}
        {canWrite && (
          <>
            <Button icon="edit" onPress={() => setOpen('edit')}>
              {words.edit}
            </Button>
            <Button icon="trash" onPress={() => setOpen('remove')}>
              {words.remove}
            </Button>
          </>
        )}
        {changeId !== null && (
          <Link to="/domains/$id/history" params={{ id: domainId }} search={{ change: changeId }}>
            {words.showChange}
          </Link>
        )}
      </Bar>
      {open === 'edit' && (
        <Suspense>
          <MonitorDialog monitor={monitor} onClose={() => setOpen(null)} />
        </Suspense>
      )}
      {open === 'remove' && (
        <Confirm
          title={words.removeTitle(`${visible(name)} ${recordType}`)}
          action={words.remove}
          onConfirm={async () => {
            await api.DELETE('/api/failover-monitors/{id}', { path })
            done()
            toast(words.removed)
          }}
          onClose={() => setOpen(null)}
        >
          <p>{words.removeText}</p>
        </Confirm>
      )}
      {target && (
        <Confirm
          title={words.switchTitle(visible(target.name))}
          action={words.switchTo(visible(target.name))}
          onConfirm={async () => {
            const body = { to: target.name, force }
            await api.POST('/api/failover-monitors/{id}/switch', { path, body })
            done()
            toast(words.switchDone)
          }}
          onClose={() => setTarget(null)}
        >
          <p>{words.switchText(visible(target.values.join(', ')))}</p>
          <Checkbox isSelected={force} onChange={setForce}>
            {words.force}
          </Checkbox>
        </Confirm>
      )}
    </Card>
  )
}
