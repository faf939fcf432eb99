import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { Badge, type Tone } from '../../ui/feedback/Note.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { ToldProblem } from '../../ui/feedback/ToldProblem.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { Bar } from '../../ui/page/Page.tsx'
import { visible } from '../../ui/visible.ts'

const TONES: Record<Schemas['ConfirmationStatus'], Tone> = {
  waiting: 'info',
  unconfirmed: 'warn',
  reverting: 'warn',
  confirmed: 'good',
  reverted: 'plain',
  not_reverted: 'bad',
}

/** Whether a change has to be confirmed, and what became of that. */
export function ConfirmationBadge({ confirmation }: { confirmation: Schemas['Confirmation'] }) {
  const m = useMessages('later')
  return <Badge tone={TONES[confirmation.status]}>{m.later.status[confirmation.status]}</Badge>
}

interface LaterProps {
  domain: Schemas['Domain']
  change: Schemas['Change']
}

/** The time of a change and its confirmation, and the ways to apply it now or cancel it. */
export function Later({ domain: { id, access }, change }: LaterProps) {
  const m = useMessages('later')
  const words = m.later
  const { moment, ago } = useFormats()
  const [asked, setAsked] = useState<'cancel' | 'apply' | null>(null)
  const { id: changeId, status, problem, confirmation, revertOf } = change
  const path = { id, changeId }
  const to = (change: string, text: string) => (
    <Link to="/domains/$id/history" params={{ id }} search={{ change }}>
      {text}
    </Link>
  )
  return (
    <>
      {problem && <ToldProblem problem={problem} />}
      {revertOf !== null && <p>{to(revertOf, words.showReverted)}</p>}
      {confirmation?.status === 'unconfirmed' && confirmation.confirmBy !== null && (
        <p>{words.revertAt(words.appliedAt(moment(confirmation.confirmBy), ago(confirmation.confirmBy)))}</p>
      )}
      {confirmation && confirmation.confirmedBy !== null && (
        <p>{words.confirmedBy(visible(confirmation.confirmedBy))}</p>
      )}
      {confirmation && confirmation.revertChangeId !== null && (
        <p>{to(confirmation.revertChangeId, words.showRevert)}</p>
      )}
      {confirmation && confirmation.leftAlone.length > 0 && (
        <div>
          {words.leftAlone}
          <ul>
            {confirmation.leftAlone.map(({ name, recordType, value }) => (
              <li key={`${name} ${recordType} ${value}`} className="mono">
                {visible(name)} {recordType} {visible(value)}
              </li>
            ))}
          </ul>
        </div>
      )}
      {status === 'scheduled' && access !== 'read' && (
        <Bar>
          <Button icon="check" onPress={() => setAsked('apply')}>
            {words.applyNow}
          </Button>
          <Button icon="close" onPress={() => setAsked('cancel')}>
            {words.cancel}
          </Button>
        </Bar>
      )}
      {asked === 'apply' && (
        <Confirm
          title={words.applyTitle}
          action={words.applyNow}
          onConfirm={async () => {
            const done = await api.POST('/api/domains/{id}/changes/{changeId}/apply', { path })
            changed('record', id)
            toast(words.applied[done.status])
          }}
          onClose={() => setAsked(null)}
        >
          <p>{words.applyText}</p>
        </Confirm>
      )}
      {asked === 'cancel' && (
        <Confirm
          title={words.cancelTitle}
          action={words.cancel}
          onConfirm={async () => {
            await api.POST('/api/domains/{id}/changes/{changeId}/cancel', { path })
            changed('record', id)
            toast(words.cancelled)
          }}
          onClose={() => setAsked(null)}
        >
          <p>{words.cancelText}</p>
        </Confirm>
      )}
    </>
  )
}
