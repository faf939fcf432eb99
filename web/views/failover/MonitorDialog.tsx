import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { Fields, Form, FormActions } from '../../ui/fields/Form.tsx'
import { RadioGroup } from '../../ui/fields/Choice.tsx'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { visible } from '../../ui/visible.ts'
import { AlternativeFields } from './AlternativeFields.tsx'
import { CheckFields } from './CheckFields.tsx'
import { MaintenanceFields } from './MaintenanceFields.tsx'
import { draftOf, emptyDraft, fieldsOf, settingsOf, type Draft } from './monitor-draft.ts'
import { RrsetFields, type ChosenRrset } from './RrsetFields.tsx'
import styles from './MonitorDialog.module.css'

interface DialogProps {
  /** Null: a new monitor. */
  monitor: Schemas['FailoverMonitor'] | null
  onClose: () => void
}

/** Sets up a failover monitor, or changes one; its RRset stays. */
export function MonitorDialog({ monitor, onClose }: DialogProps) {
  const m = useMessages('failoverForm')
  const words = m.failoverForm
  // The list is read again meanwhile; what others change since is a conflict.
  const [revision] = useState(monitor?.revision)
  const [rrset, setRrset] = useState<ChosenRrset | null>(null)
  const [draft, setDraft] = useState<Draft>(() => (monitor ? draftOf(monitor) : emptyDraft()))
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const ttl = monitor ? monitor.ttl : (rrset?.ttl ?? null)

  /** What is served now is the first alternative. */
  function choose(chosen: ChosenRrset | null) {
    setRrset(chosen)
    if (!chosen) return
    const [first, ...others] = draft.alternatives
    if (first) set({ alternatives: [{ ...first, values: chosen.values }, ...others] })
  }
  async function save() {
    const settings = settingsOf(draft)
    if (monitor) {
      const body = { ...settings, ...(revision !== undefined && { revision }) }
      await api.PUT('/api/failover-monitors/{id}', { path: { id: monitor.id }, body })
      changed('failover', monitor.domainId)
    } else if (rrset) {
      const { domainId, name, recordType } = rrset
      const body = { ...settings, name, recordType }
      await api.POST('/api/domains/{id}/failover-monitors', { path: { id: domainId }, body })
      changed('failover', domainId)
    }
    toast(words.saved)
    onClose()
  }
  const numberOf = (field: 'intervalSeconds' | 'failures' | 'successes' | 'holdDownSeconds') => ({
    name: field,
    label: words[field],
    value: draft[field],
    onChange: (value: number) => set({ [field]: value }),
  })
  return (
    <Dialog
      wide
      stays
      title={monitor ? words.edit(`${visible(monitor.name)} ${monitor.recordType}`) : words.title}
      onClose={onClose}
    >
      <Form fields={fieldsOf(draft)} onSubmit={save}>
        {(isPending) => (
          <>
            {!monitor && <RrsetFields chosen={rrset} onChoose={choose} />}
            <AlternativeFields
              alternatives={draft.alternatives}
              onChange={(alternatives) => set({ alternatives })}
            />
            <CheckFields check={draft.check} onChange={(check) => set({ check })} />
            <section className={styles['part']} aria-labelledby="failover-when">
              <h3 id="failover-when">{words.when}</h3>
              <Fields>
                <NumberField {...numberOf('intervalSeconds')} minValue={10} maxValue={3600} />
                <NumberField {...numberOf('failures')} minValue={1} maxValue={10} />
                <NumberField {...numberOf('successes')} minValue={1} maxValue={20} />
                <NumberField {...numberOf('holdDownSeconds')} minValue={0} maxValue={86_400} />
              </Fields>
              {ttl !== null && ttl > draft.intervalSeconds && (
                <Note tone="warn">{words.ttl(ttl, draft.intervalSeconds)}</Note>
              )}
              <RadioGroup
                label={words.back}
                value={draft.back}
                onChange={(back) => set({ back })}
                options={[
                  { id: 'automatic', text: words.backs.automatic },
                  { id: 'manual', text: words.backs.manual },
                ]}
              />
            </section>
            <MaintenanceFields windows={draft.maintenance} onChange={(maintenance) => set({ maintenance })} />
            <FormActions>
              <Button
                type="submit"
                look="primary"
                isPending={isPending}
                isDisabled={monitor === null && rrset === null}
              >
                {monitor ? m.common.save : words.create}
              </Button>
              <Button onPress={onClose}>{m.common.cancel}</Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
