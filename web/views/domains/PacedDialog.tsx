import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { paced, type Progress } from '../../api/paced.ts'
import { ApiProblem } from '../../api/problems.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Badge } from '../../ui/feedback/Note.tsx'
import { visible } from '../../ui/visible.ts'
import { ToldProblem } from '../../ui/feedback/ToldProblem.tsx'
import styles from './Domains.module.css'

interface Item {
  id: string
  unicodeName: string
}

interface PacedProps<T extends Item> {
  title: string
  items: readonly T[]
  work: (item: T) => Promise<unknown>
  /** Text for a result. */
  show: (result: unknown) => ReactNode
  onClose: () => void
}

/** Runs an action on many items, a few at a time, and shows each result. */
export function PacedDialog<T extends Item>({ title, items, work, show, onClose }: PacedProps<T>) {
  const m = useMessages('domains')
  const { number } = useFormats()
  const [progress, setProgress] = useState<ReadonlyMap<string, Progress>>(new Map())
  const [running, setRunning] = useState<AbortController | null>(null)
  const [all] = useState(items)
  const run = useCallback(
    async (some: readonly T[], controller: AbortController) => {
      setRunning(controller)
      const tell = (id: string, one: Progress) => setProgress((before) => new Map([...before, [id, one]]))
      await paced(some, work, tell, controller.signal)
      setRunning(null)
    },
    [work],
  )
  useEffect(() => {
    const controller = new AbortController()
    void run(all, controller)
    return () => controller.abort()
  }, [run, all])

  const stateOf = ({ id }: T) => progress.get(id)?.state ?? 'waiting'
  const finished = items.filter((item) => ['done', 'failed'].includes(stateOf(item))).length
  const failed = items.filter((item) => stateOf(item) === 'failed')
  return (
    <Dialog
      title={title}
      onClose={onClose}
      stays={running !== null}
      actions={
        running ? (
          <Button onPress={() => running.abort()}>{m.domains.run.stop}</Button>
        ) : (
          <>
            {failed.length > 0 && (
              <Button look="primary" icon="sync" onPress={() => void run(failed, new AbortController())}>
                {m.domains.run.again(failed.length)}
              </Button>
            )}
            <Button {...(failed.length === 0 && { look: 'primary' })} onPress={onClose}>
              {m.common.close}
            </Button>
          </>
        )
      }
    >
      <p role="status">{m.domains.run.progress(number(finished), number(items.length))}</p>
      <ul className={styles['results']}>
        {items.map((item) => {
          const one = progress.get(item.id) ?? { state: 'waiting' as const }
          return (
            <li key={item.id}>
              <span>{visible(item.unicodeName)}</span>
              <Result progress={one} isRunning={running !== null} show={show} />
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}

function Result({
  progress,
  isRunning,
  show,
}: {
  progress: Progress
  isRunning: boolean
  show: (result: unknown) => ReactNode
}) {
  const m = useMessages('domains')
  const words = m.domains.run
  if (progress.state === 'done') return <Badge tone="good">{show(progress.result) ?? words.done}</Badge>
  if (progress.state === 'failed') {
    return (
      <>
        <Badge tone="bad">{words.failed}</Badge>
        {progress.result instanceof ApiProblem ? (
          <ToldProblem problem={progress.result.problem} />
        ) : (
          <span>{m.problems.unreachable}</span>
        )}
      </>
    )
  }
  if (progress.state === 'running') return <Badge tone="info">{words.running}</Badge>
  return <span className="muted">{isRunning ? words.waiting : words.stopped}</span>
}
