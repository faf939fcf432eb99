import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { session, signedIn } from '../../api/session/session.ts'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { LinkButton, useTitle } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { Outside } from './Outside.tsx'
import { SecondStep } from './SecondStep.tsx'
import { useTaken } from './taken.ts'

/** Target of identity providers: a ticket, a request for an invitation, a link, or an error. */
export function Callback() {
  const m = useMessages('register', 'signIn')
  const navigate = useNavigate()
  useTitle(m.signIn.title)
  const taken = useTaken('ticket', 'needs_invite', 'pending_token', 'provider_id', 'bound', 'error')
  const [second, setSecond] = useState<Schemas['SecondFactorNeeded'] | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const isUsed = useRef(false)
  const { ticket, pending_token, provider_id, bound, error } = taken

  useEffect(() => {
    // A ticket works once.
    if (isUsed.current) return
    isUsed.current = true
    if (pending_token !== undefined) {
      void navigate({ to: '/register', search: { pending_token, provider_id }, replace: true })
    } else if (bound !== undefined) {
      void navigate({ to: '/account/identities', search: { bound: true, provider_id }, replace: true })
    } else if (error !== undefined && session.get().state === 'in') {
      void navigate({ to: '/account/identities', search: { error }, replace: true })
    } else if (ticket !== undefined) {
      api.POST('/api/auth/oauth/exchange-ticket', { body: { ticket } }).then((answer) => {
        if (answer.outcome === 'second_factor') return setSecond(answer)
        signedIn(answer)
        return navigate({ to: '/', replace: true })
      }, setProblem)
    }
  }, [ticket, pending_token, provider_id, bound, error, navigate])

  const isNothing = Object.keys(taken).length === 0
  const reasons: Record<string, string> = m.register.reasons
  return (
    <Outside title={m.signIn.title}>
      {error !== undefined && (
        <Note tone="bad" alert>
          {reasons[error] ?? m.register.reasons.provider_error}
        </Note>
      )}
      {isNothing && <Note tone="info">{m.register.reasons.state_invalid}</Note>}
      {problem !== null && <ProblemNote error={problem} />}
      {second && <AfterTicket needed={second} />}
      {!second && problem === null && error === undefined && !isNothing && <Loading lines={2} />}
      {(error !== undefined || problem !== null || isNothing) && (
        <LinkButton to="/sign-in">{m.register.haveAccount}</LinkButton>
      )}
    </Outside>
  )
}

function AfterTicket({ needed }: { needed: Schemas['SecondFactorNeeded'] }) {
  const navigate = useNavigate()
  useEffect(
    () =>
      session.subscribe(() => {
        if (session.get().state === 'in') void navigate({ to: '/', replace: true })
      }),
    [navigate],
  )
  return <SecondStep needed={needed} onBack={() => void navigate({ to: '/sign-in' })} />
}
