import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Switched } from '../domain-settings/Switched.tsx'

interface PromoteProps {
  domain: Schemas['Domain']
  mirror: Schemas['Mirror']
  /** Of its connection. */
  name: string
  /** The delegation was changed before. */
  isMoved?: boolean
  onClose: () => void
}

/** Swaps the provider of a domain and a mirror, then tells what to set at the registrar. */
export function PromoteDialog({ domain, mirror, name, isMoved = false, onClose }: PromoteProps) {
  const m = useMessages('mirrors')
  const words = m.mirrors
  const [force, setForce] = useState(false)
  const [answer, setAnswer] = useState<Schemas['PromoteAnswer'] | null>(null)
  async function promote() {
    const path = { id: domain.id, mirrorId: mirror.id }
    const done = await api.POST('/api/domains/{id}/mirrors/{mirrorId}/promote', { path, body: { force } })
    toast(words.promoted(name))
    if (isMoved) onClose()
    else setAnswer(done)
    changed('domain', domain.id)
    changed('record', domain.id)
  }
  if (answer) return <Switched answer={answer} onClose={onClose} />
  return (
    <Confirm
      title={words.promoteTitle(name)}
      action={words.promote}
      danger={force}
      onConfirm={promote}
      onClose={(isDone) => {
        if (!isDone) onClose()
      }}
    >
      <p>{words.promoteAbout}</p>
      {mirror.state !== 'in_step' && (
        <Checkbox isSelected={force} onChange={setForce}>
          {words.promoteForce}
        </Checkbox>
      )}
    </Confirm>
  )
}
