import { useQuery } from '@tanstack/react-query'
import { useRef, useState, useSyncExternalStore } from 'react'
import type { Schemas } from '../../../api/schema.d.ts'
import { session } from '../../../api/session/session.ts'
import { Button } from '../../../ui/page/Button.tsx'
import { useMessages } from '../../../ui/language.tsx'
import { Loading } from '../../../ui/feedback/Loading.tsx'
import { Bar } from '../../../ui/page/Page.tsx'
import { ProblemNote } from '../../../ui/feedback/ProblemNote.tsx'
import { zoneText } from './zone-text.ts'
import { LineFaults } from './LineFaults.tsx'
import styles from '../Records.module.css'
import { planZone, type PlannedZone } from './zone-plan.ts'
import { ZonePlan } from './ZonePlan.tsx'
import { ZoneText, type ZoneTextHandle } from './ZoneText.tsx'

interface TextViewProps {
  domain: Schemas['Domain']
  onClose: () => void
}

/** The zone as an editable file; its changes are previewed before they are applied. */
export function TextView({ domain, onClose }: TextViewProps) {
  const m = useMessages('records', 'zoneFiles')
  const words = m.zoneFiles.text
  const area = useRef<ZoneTextHandle>(null)
  const {
    data: exported,
    error,
    refetch,
  } = useQuery({
    queryKey: ['records', domain.id, 'text'],
    queryFn: () => zoneText(domain.id),
    refetchOnWindowFocus: false,
  })
  const [edited, setEdited] = useTextDraft(domain.id)
  const [planned, setPlanned] = useState<PlannedZone | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  const text = edited ?? exported ?? ''
  const isReadOnly = domain.access === 'read'

  async function review() {
    setPending(true)
    setProblem(null)
    try {
      setPlanned(await planZone(domain.id, text, 'replace'))
    } catch (failure) {
      setProblem(failure)
    } finally {
      setPending(false)
    }
  }
  if (error) return <ProblemNote error={error} retry={() => void refetch()} />
  if (exported === undefined) return <Loading lines={12} />
  return (
    <div className={styles['layout']}>
      <Bar>
        <Button icon="left" onPress={onClose}>
          {m.records.gridView}
        </Button>
        {edited !== null && <Button onPress={() => setEdited(null)}>{m.records.staging.discard}</Button>}
        <Button
          look="primary"
          isPending={isPending}
          isDisabled={edited === null || edited === exported || isReadOnly}
          onPress={() => void review()}
        >
          {words.review}
        </Button>
      </Bar>
      <p className="muted" id="text-help">
        {words.help}
      </p>
      {problem !== null && <LineFaults error={problem} onLine={(line) => area.current?.go(line)} />}
      <ZoneText
        ref={area}
        label={words.label}
        describedBy="text-help"
        readOnly={isReadOnly}
        value={text}
        onChange={setEdited}
      />
      {planned && (
        <ZonePlan
          domainId={domain.id}
          planned={planned}
          onApplied={() => {
            setPlanned(null)
            setEdited(null)
          }}
          onClose={() => setPlanned(null)}
        />
      )}
    </div>
  )
}

/** Unapplied text; survives leaving the view and a reload, like staged edits. */
function useTextDraft(domainId: string): [string | null, (text: string | null) => void] {
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const key = `zonekeeper-text:${user?.id ?? ''}:${domainId}`
  const [text, setText] = useState(() => sessionStorage.getItem(key))
  const change = (next: string | null) => {
    setText(next)
    try {
      if (next === null) sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, next)
    } catch {
      // Storage is full: the text lasts as long as the view.
    }
  }
  return [text, change]
}
