import { useQuery } from '@tanstack/react-query'
import { useRef, useState, useSyncExternalStore, type RefObject } from 'react'
import { api, data } from '../../api/client.ts'
import { changed } from '../../api/live.ts'
import { ApiProblem } from '../../api/problems.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { session } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Diff } from '../../ui/Diff.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Note } from '../../ui/Note.tsx'
import { Bar } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { toast } from '../../ui/Toast.tsx'
import { visible } from '../../ui/visible.ts'
import { zoneText } from './download.ts'
import styles from './Records.module.css'

interface TextViewProps {
  domain: Schemas['Domain']
  onClose: () => void
}

type Answer = Schemas['Plan']

/** Plans what the text asks for, and has the plan kept, so that just what is shown can be done. */
async function planText(id: string, zonefile: string): Promise<{ plan: Answer; skipped: number }> {
  const answer = await data(
    api.POST('/api/domains/{id}/records/import', {
      params: { path: { id } },
      body: { zonefile, mode: 'replace', keep: true },
    }),
  )
  // A plan alone is never an operation.
  if (!('plan' in answer)) throw new Error('The service did not plan')
  return { plan: answer.plan, skipped: answer.skipped.length }
}

/** The zone as a file, edited as one; what it asks for is shown before it is done. */
export function TextView({ domain, onClose }: TextViewProps) {
  const m = useMessages('records')
  const words = m.records.text
  const area = useRef<HTMLTextAreaElement>(null)
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
  const [planned, setPlanned] = useState<Awaited<ReturnType<typeof planText>> | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  const text = edited ?? exported ?? ''
  const isReadOnly = domain.access === 'read'

  async function act(work: () => Promise<void>) {
    setPending(true)
    setProblem(null)
    try {
      await work()
    } catch (failure) {
      setProblem(failure)
    } finally {
      setPending(false)
    }
  }
  const review = () => act(async () => setPlanned(await planText(domain.id, text)))
  const apply = (planId: string) =>
    act(async () => {
      const params = { path: { id: domain.id } }
      const answer = await data(api.POST('/api/domains/{id}/records/apply', { params, body: { planId } }))
      setPlanned(null)
      setEdited(null)
      toast('operation' in answer ? words.large : m.common.saved)
      changed('record', domain.id)
    })

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
          isPending={isPending && planned === null}
          isDisabled={edited === null || edited === exported || isReadOnly}
          onPress={() => void review()}
        >
          {words.review}
        </Button>
      </Bar>
      <p className="muted" id="text-help">
        {words.help}
      </p>
      {problem !== null && planned === null && <LineFaults error={problem} area={area} />}
      <textarea
        ref={area}
        className={styles['text']}
        aria-label={words.label}
        aria-describedby="text-help"
        spellCheck={false}
        readOnly={isReadOnly}
        value={text}
        onChange={(event) => setEdited(event.target.value)}
      />
      {planned && (
        <PlanDialog
          {...planned}
          error={problem}
          isPending={isPending}
          onApply={(planId) => void apply(planId)}
          onClose={() => setPlanned(null)}
        />
      )}
    </div>
  )
}

/** What was typed and not applied: it outlives the view and a reload, as staged edits do. */
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
      // There is no room: it lives as long as the view.
    }
  }
  return [text, change]
}

/** Faults of lines, each leading to its line; anything else as usual. */
function LineFaults({ error, area }: { error: unknown; area: RefObject<HTMLTextAreaElement | null> }) {
  const m = useMessages('records')
  const faults = error instanceof ApiProblem ? (error.problem.errors ?? []) : []
  const lines = faults.filter(({ params }) => typeof params?.['line'] === 'number')
  if (lines.length === 0) return <ProblemNote error={error} />
  function go(line: number) {
    const field = area.current
    if (!field) return
    const before = field.value.split('\n').slice(0, line - 1)
    const start = before.reduce((length, one) => length + one.length + 1, 0)
    const end = field.value.indexOf('\n', start)
    field.focus()
    field.setSelectionRange(start, end < 0 ? field.value.length : end)
    const height = Number.parseFloat(getComputedStyle(field).lineHeight)
    field.scrollTop = Math.max(0, (line - 5) * height)
  }
  return (
    <Note tone="bad" alert>
      <ul>
        {lines.map(({ message, params }) => (
          <li key={message}>
            <Button look="link" onPress={() => go(Number(params?.['line']))}>
              {`${m.records.paste.line} ${String(params?.['line'])}`}
            </Button>{' '}
            {visible(message)}
          </li>
        ))}
      </ul>
    </Note>
  )
}

interface PlanDialogProps {
  plan: Answer
  /** Records of the file that are not managed here. */
  skipped: number
  error: unknown
  isPending: boolean
  onApply: (planId: string) => void
  onClose: () => void
}

function PlanDialog({ plan, skipped, error, isPending, onApply, onClose }: PlanDialogProps) {
  const m = useMessages('records')
  const { number } = useFormats()
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
            isDisabled={!plan.planId}
            onPress={() => plan.planId && onApply(plan.planId)}
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
      {skipped > 0 && (
        <Note tone="info">
          {m.records.text.skipped} {number(skipped)}
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
