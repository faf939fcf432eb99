import { useCallback } from 'react'
import { api } from '../../api/client.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { askWhich } from './ask-which.ts'
import { useMessages } from '../../ui/language.tsx'
import { PlanDialog } from '../../ui/plan/PlanDialog.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { visible } from '../../ui/visible.ts'

interface CopyProps {
  domain: Schemas['Domain']
  target: Schemas['ProviderConfig']
  createZone: boolean
  skipRefused: boolean
  mode: Schemas['CopyMode']
  /** Empty: there is only one zone of that name. */
  zoneId: string
  /** Called if a zone must be chosen. */
  onSeveral: (zoneIds: string[]) => void
  onFailed: (failed: readonly Schemas['FailedCopy'][]) => void
  onClose: () => void
}

/** Previews and runs the copy of the records to another provider. */
export function CopyDialog({
  domain: { id },
  target,
  createZone,
  skipRefused,
  mode,
  zoneId,
  onSeveral,
  onFailed,
  onClose,
}: CopyProps) {
  const m = useMessages('domainSettings')
  const words = m.domainSettings.move
  const call = useCallback(
    (dryRun: boolean) =>
      api.POST('/api/domains/{id}/copy', {
        path: { id },
        body: {
          providerConfigId: target.id,
          ...(zoneId !== '' && { zoneId }),
          createZone,
          skipRefused,
          mode,
          dryRun,
        },
      }),
    [id, target.id, zoneId, createZone, skipRefused, mode],
  )
  const plan = useCallback(async () => {
    const answer = await call(true).catch(askWhich(onSeveral))
    if ('operation' in answer) throw new Error('Expected a plan, but an operation was started')
    return answer.plan
  }, [call, onSeveral])
  return (
    <PlanDialog
      title={words.copyTitle(visible(target.name))}
      about={<p>{words.copyAbout}</p>}
      plan={plan}
      apply={() => call(false)}
      action={words.copyAction}
      skipsConflicts={skipRefused}
      allowsNone={createZone}
      onDone={(deed) => {
        onFailed('failed' in deed ? (deed as Schemas['CopyAnswer']).failed : [])
        if (!('operation' in deed)) toast(words.copied)
      }}
      onClose={onClose}
    />
  )
}
