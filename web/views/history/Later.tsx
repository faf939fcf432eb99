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

/** The time of a change and its confirmation, and the way to cancel it. */
export function Later({ domain: { id, access }, change }: LaterProps) {
  const m = useMessages('later')
  const words = m.later
  const { moment, ago } = useFormats()
  const [isAsking, setAsking] = useState(false)
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
          <Button icon="close" onPress={() => setAsking(true)}>
            {words.cancel}
          </Button>
        </Bar>
      )}
      {isAsking && (
        <Confirm
          title={words.cancelTitle}
          action={words.cancel}
          onConfirm={async () => {
            await api.POST('/api/domains/{id}/changes/{changeId}/cancel', { path })
            changed('record', id)
            toast(words.cancelled)
          }}
          onClose={() => setAsking(false)}
        >
          <p>{words.cancelText}</p>
        </Confirm>
      )}
    </>
  )
}
