import { useQuery } from '@tanstack/react-query'
import { operationQuery } from '../api/queries/changes.ts'
import { useFormats, useMessages } from './language.tsx'
import { Note } from './Note.tsx'
import { ProblemNote } from './ProblemNote.tsx'
import { useProblemText } from './reasons.ts'

/** How far a large change is; it goes on without the page, too. */
export function OperationProgress({ id }: { id: string }) {
  const m = useMessages('plan')
  const { number } = useFormats()
  const words = m.plan.operation
  const { data: now, error } = useQuery(operationQuery(id))
  const problem = useProblemText(now?.problem ?? null)
  if (error) return <ProblemNote error={error} />
  if (!now || now.outcome === null)
    return (
      <Note tone="info">
        <span role="status">{words.running(number(now?.done ?? 0), number(now?.total ?? 0))}</span>
      </Note>
    )
  return (
    <Note tone={now.outcome === 'succeeded' ? 'good' : 'bad'} alert>
      {words[now.outcome](number(now.done), number(now.total))}
      {problem !== null && <p>{problem}</p>}
    </Note>
  )
}
