import { createContext, use, useEffect, useState, type ReactNode } from 'react'
import { NotConfirmed } from '../../api/session/fresh-sign-in.ts'
import { ApiProblem, Unreachable, type Problem } from '../../api/problems.ts'
import { Button } from '../page/Button.tsx'
import { useFormats, useLanguage, useMessages } from '../language.tsx'
import { NameChallenge } from '../dialogs/NameChallenge.tsx'
import { Note } from './Note.tsx'
import { LinkButton } from '../page/Page.tsx'
import styles from './Note.module.css'
import { ReasonList } from './ReasonList.tsx'
import { reasonsIn } from './reasons.ts'
import { visible } from '../visible.ts'

/** The domain to request access to. */
export const DomainName = createContext<string | null>(null)

interface ProblemProps {
  error: unknown
  /** Retries; omitted: no button. */
  retry?: () => void
  /** Further actions. */
  actions?: ReactNode
  /** Introduction: what failed. */
  title?: string
}

/** A problem in the user's language if its code is known, with the next step and the request id. */
export function ProblemNote({ error, retry, actions, title }: ProblemProps) {
  const m = useMessages()
  const language = useLanguage()
  if (error instanceof NotConfirmed) return null
  const problem = error instanceof ApiProblem ? error.problem : null
  const isMissing = problem?.code === 'not_found'
  const words = problem
    ? m.problems.byCode[problem.code]
    : error instanceof Unreachable
      ? m.problems.unreachable
      : m.problems.unexpected
  // English users get the more precise message of the service.
  const ownWords = problem && !isMissing && language === 'en' ? problem.detail : null
  const reasons = problem ? reasonsIn(problem) : []
  return (
    <Note
      tone="bad"
      alert
      actions={
        (retry || actions) && (
          <>
            {retry && <WayOn problem={problem} retry={retry} />}
            {actions}
          </>
        )
      }
    >
      {title !== undefined && <strong>{title} </strong>}
      {problem?.challenge ? m.problems.challenge.title : (ownWords ?? words)}
      {problem?.challenge && <NameChallenge challenge={problem.challenge} />}
      {!ownWords && !problem?.challenge && reasons.length > 0 && <ReasonList reasons={reasons} />}
      {problem && !ownWords && reasons.length === 0 && (
        <details className={styles['small']}>
          <summary>{m.common.details}</summary>
          <span lang="en">{visible(problem.detail)}</span>
        </details>
      )}
      {problem && problem.requestId !== '' && problem.status >= 500 && (
        <p className={styles['small']}>
          {m.problems.requestId} <code>{problem.requestId}</code>
        </p>
      )}
    </Note>
  )
}

/** Next step where retrying doesn't help: missing permissions or objects. */
function WayOn({ problem, retry }: { problem: Problem | null; retry: () => void }) {
  const m = useMessages()
  const domain = use(DomainName)
  if (problem?.code === 'not_found') return <LinkButton to="/">{m.common.home}</LinkButton>
  if (problem?.code === 'forbidden' || problem?.code === 'permission_missing')
    return (
      <LinkButton to="/requests" icon="inbox" search={domain === null ? {} : { domain }}>
        {m.problems.askForAccess}
      </LinkButton>
    )
  return <RetryButton key={problem?.requestId ?? ''} seconds={problem?.retryAfter ?? 0} retry={retry} />
}

/** Retry button, enabled when the service allows; counts by the clock, as timers are slowed in hidden pages. */
function RetryButton({ seconds, retry }: { seconds: number; retry: () => void }) {
  const m = useMessages()
  const { number } = useFormats()
  const [endsAt] = useState(() => Date.now() + seconds * 1000)
  const [left, setLeft] = useState(seconds)
  const isOver = left <= 0
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => setLeft(Math.ceil((endsAt - Date.now()) / 1000)), 500)
    return () => clearInterval(timer)
  }, [isOver, endsAt])
  return (
    <Button onPress={retry} isDisabled={!isOver} icon="sync">
      {isOver ? m.common.tryAgain : m.problems.tryAgainIn(number(left))}
    </Button>
  )
}
