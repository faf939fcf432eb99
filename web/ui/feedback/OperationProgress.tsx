import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { changed } from '../../api/live/live.ts'
import { operationQuery } from '../../api/queries/zones/changes.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { useFormats, useMessages } from '../language.tsx'
import { Note } from './Note.tsx'
import { ProblemNote } from './ProblemNote.tsx'
import { ToldProblem } from './ToldProblem.tsx'

interface ProgressProps {
  id: string
  /** Called with the result; must be the same function on every render. */
  onEnd?: (outcome: Schemas['OperationOutcome']) => void
}

/** Progress of an operation, which continues without the page. */
export function OperationProgress({ id, onEnd }: ProgressProps) {
  const m = useMessages('plan')
  const { number } = useFormats()
  const words = m.plan.operation
  const { data: now, error } = useQuery(operationQuery(id))
  const outcome = now?.outcome ?? null
  const domainId = now?.domainId ?? null
  useEffect(() => {
    if (outcome === null) return
    // Refresh even if no event arrives.
    if (domainId !== null) changed('record', domainId)
    onEnd?.(outcome)
  }, [outcome, domainId, onEnd])
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
      {now.problem && <ToldProblem problem={now.problem} />}
    </Note>
  )
}
