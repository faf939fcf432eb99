import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { changed } from '../../api/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Diff } from '../../ui/Diff.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Note } from '../../ui/Note.tsx'
import { Bar } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { toast } from '../../ui/Toast.tsx'
import { zoneText } from './download.ts'
import styles from './Records.module.css'

interface TextViewProps {
  domain: Schemas['Domain']
  onClose: () => void
}

type Answer = Awaited<ReturnType<typeof send>>

const send = (id: string, zonefile: string, dryRun: boolean) =>
  data(
    api.POST('/api/domains/{id}/records/import', {
      params: { path: { id } },
      body: { zonefile, mode: 'replace', dryRun },
    }),
  )

/** The zone as a file, edited as one; what it asks for is shown before it is done. */
export function TextView({ domain, onClose }: TextViewProps) {
  const m = useMessages()
  const words = m.records.text
  const {
    data: exported,
    error,
    refetch,
  } = useQuery({
    queryKey: ['records', domain.id, 'text'],
    queryFn: () => zoneText(domain.id),
    refetchOnWindowFocus: false,
  })
  const [edited, setEdited] = useState<string | null>(null)
  const [planned, setPlanned] = useState<Answer | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  const text = edited ?? exported ?? ''

  async function act(dryRun: boolean) {
    setPending(true)
    setProblem(null)
    try {
      const answer = await send(domain.id, text, dryRun)
      if (dryRun) return setPlanned(answer)
      setPlanned(null)
      setEdited(null)
      toast('operation' in answer ? words.large : m.common.saved)
      changed('record', domain.id)
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
        <Button
          look="primary"
          isPending={isPending && planned === null}
          isDisabled={edited === null || edited === exported || domain.access === 'read'}
          onPress={() => void act(true)}
        >
          {words.review}
        </Button>
      </Bar>
      <p className="muted" id="text-help">
        {words.help}
      </p>
      {problem !== null && planned === null && <ProblemNote error={problem} />}
      <textarea
        className={styles['text']}
        aria-label={words.label}
        aria-describedby="text-help"
        spellCheck={false}
        readOnly={domain.access === 'read'}
        value={text}
        onChange={(event) => setEdited(event.target.value)}
      />
      {planned && 'plan' in planned && (
        <PlanDialog
          answer={planned}
          error={problem}
          isPending={isPending}
          onApply={() => void act(false)}
          onClose={() => setPlanned(null)}
        />
      )}
    </div>
  )
}

interface PlanDialogProps {
  answer: Extract<Answer, { plan: unknown }>
  error: unknown
  isPending: boolean
  onApply: () => void
  onClose: () => void
}

function PlanDialog({ answer: { plan, skipped }, error, isPending, onApply, onClose }: PlanDialogProps) {
  const m = useMessages()
  const words = m.records.review
  const entries = [...plan.deletes, ...plan.updates, ...plan.creates]
  return (
    <Dialog
      title={words.title}
      wide
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{m.common.cancel}</Button>
          <Button
            look="primary"
            isPending={isPending}
            isDisabled={entries.length === 0 || plan.conflicts.length > 0}
            onPress={onApply}
          >
            {words.apply(entries.length)}
          </Button>
        </>
      }
    >
      {error !== null && <ProblemNote error={error} />}
      {plan.conflicts.map(({ detail, index }) => (
        <Note key={index} tone="bad">
          {detail}
        </Note>
      ))}
      {skipped.length > 0 && (
        <Note tone="info">
          {m.records.text.skipped} {skipped.length}
        </Note>
      )}
      {entries.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <Diff
          label={words.title}
          entries={entries.map(({ recordId, before, after }) => ({ id: recordId, before, after }))}
        />
      )}
    </Dialog>
  )
}
