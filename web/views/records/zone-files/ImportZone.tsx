import { useRef, useState } from 'react'
import { Button } from '../../../ui/page/Button.tsx'
import { RadioGroup } from '../../../ui/fields/Choice.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { useMessages } from '../../../ui/language.tsx'
import { LineFaults } from './LineFaults.tsx'
import { planZone, type PlannedZone } from './zone-plan.ts'
import { ZonePlan } from './ZonePlan.tsx'
import { ZoneText, type ZoneTextHandle } from './ZoneText.tsx'

/** Imports a zone file: adds its records or replaces the zone. */
export function ImportZone({ domainId, onClose }: { domainId: string; onClose: () => void }) {
  const m = useMessages('records', 'zoneFiles')
  const words = m.zoneFiles.importing
  const area = useRef<ZoneTextHandle>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [mode, setMode] = useState<'merge' | 'replace'>('merge')
  const [planned, setPlanned] = useState<PlannedZone | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  async function review() {
    setPending(true)
    setProblem(null)
    try {
      setPlanned(await planZone(domainId, text, mode))
    } catch (failure) {
      setProblem(failure)
    }
    setPending(false)
  }
  if (planned)
    return (
      <ZonePlan domainId={domainId} planned={planned} onApplied={onClose} onClose={() => setPlanned(null)} />
    )
  return (
    <Dialog
      title={m.records.importTitle}
      wide
      onClose={onClose}
      actions={
        <>
          <Button
            look="primary"
            isPending={isPending}
            isDisabled={text.trim() === ''}
            onPress={() => void review()}
          >
            {m.zoneFiles.text.review}
          </Button>
          <Button onPress={onClose}>{m.common.cancel}</Button>
        </>
      }
    >
      <div>
        <Button icon="upload" onPress={() => chooser.current?.click()}>
          {words.file}
        </Button>
        <input
          ref={chooser}
          type="file"
          hidden
          aria-label={words.file}
          onChange={({ target }) => void target.files?.[0]?.text().then(setText)}
        />
      </div>
      {problem !== null && <LineFaults error={problem} onLine={(line) => area.current?.go(line)} />}
      <ZoneText ref={area} label={words.label} value={text} onChange={setText} />
      <RadioGroup
        label={words.mode}
        value={mode}
        onChange={setMode}
        options={[
          { id: 'merge', text: words.merge },
          { id: 'replace', text: words.replace },
        ]}
      />
    </Dialog>
  )
}
