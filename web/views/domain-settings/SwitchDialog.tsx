import { useCallback, useMemo, useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { hasCode, type Problem } from '../../api/problems.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { askWhich } from './ask-which.ts'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { useMessages } from '../../ui/language.tsx'
import { PlanDialog } from '../../ui/plan/PlanDialog.tsx'
import { ReasonList } from '../../ui/feedback/ReasonList.tsx'
import { reasonsIn } from '../../ui/feedback/reasons.ts'
import { visible } from '../../ui/visible.ts'
import { Switched } from './Switched.tsx'

interface SwitchProps {
  domain: Schemas['Domain']
  target: Schemas['ProviderConfig']
  /** The connection holds no records of its own, so none can be missing. */
  isLocal: boolean
  /** Empty: there is only one zone of that name. */
  zoneId: string
  /** Called if a zone must be chosen. */
  onSeveral: (zoneIds: string[]) => void
  onClose: () => void
}

const NOTHING: Schemas['Plan'] = {
  creates: [],
  updates: [],
  deletes: [],
  conflicts: [],
  warnings: [],
  applied: false,
  changeId: null,
}

/** Switches the provider: shows records missing there, switches, then lists what remains to be done. */
export function SwitchDialog({ domain, target, isLocal, zoneId, onSeveral, onClose }: SwitchProps) {
  const m = useMessages('domainSettings')
  const words = m.domainSettings.move
  const [refusal, setRefusal] = useState<Problem | null>(null)
  const [answer, setAnswer] = useState<Schemas['SwitchAnswer'] | null>(null)
  const { id } = domain
  const to = useMemo(
    () => ({ providerConfigId: target.id, ...(zoneId !== '' && { zoneId }) }),
    [target.id, zoneId],
  )
  const plan = useCallback(async () => {
    if (isLocal) return NOTHING
    const found = await api
      .POST('/api/domains/{id}/copy', {
        path: { id },
        body: { ...to, dryRun: true },
      })
      .catch(askWhich(onSeveral))
    if ('operation' in found) throw new Error('Expected a plan, but an operation was started')
    return found.plan
  }, [id, to, isLocal, onSeveral])
  async function go(force: boolean) {
    const done = await api.POST('/api/domains/{id}/switch', {
      path: { id },
      body: { ...to, force },
    })
    setAnswer(done)
    changed('domain', id)
    changed('record', id)
  }
  async function tryIt() {
    try {
      await go(false)
    } catch (error) {
      if (!hasCode(error, 'confirmation_required')) throw error
      setRefusal(error.problem)
    }
    return {}
  }
  if (answer) return <Switched answer={answer} onClose={onClose} />
  if (refusal)
    return (
      <Confirm
        title={words.lackTitle}
        action={words.lackAction}
        typed={domain.name}
        onConfirm={() => go(true)}
        onClose={(isDone) => {
          if (!isDone) onClose()
        }}
      >
        <p>{words.lackText}</p>
        <ReasonList reasons={reasonsIn({ conflicts: refusal.conflicts ?? [] })} />
      </Confirm>
    )
  return (
    <PlanDialog
      title={words.switchTitle(visible(target.name))}
      about={<p>{isLocal ? words.toLocal : words.switchAbout}</p>}
      plan={plan}
      apply={tryIt}
      action={() => words.switchAction}
      skipsConflicts
      allowsNone
      onDone={() => undefined}
      onClose={onClose}
      stays
    />
  )
}
