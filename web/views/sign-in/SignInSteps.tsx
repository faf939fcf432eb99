import { Suspense, useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { signedIn } from '../../api/session/session.ts'
import { lazyPart } from '../../ui/lazyPart.ts'
import { FirstStep } from './FirstStep.tsx'

// Only needed with a second factor.
const SecondStep = lazyPart(() => import('./SecondStep.tsx'), 'SecondStep', [])

type SignInAnswer = Schemas['SignedIn'] | Schemas['SecondFactorNeeded']

/** Sign-in in two steps; `whole`: with links that leave the page. */
export function SignInSteps({ whole = false, username }: { whole?: boolean; username?: string }) {
  const [second, setSecond] = useState<Schemas['SecondFactorNeeded'] | null>(null)
  const take = (answer: SignInAnswer) => {
    if (answer.outcome === 'signed_in') signedIn(answer)
    else setSecond(answer)
  }
  if (second)
    return (
      <Suspense>
        <SecondStep needed={second} onBack={() => setSecond(null)} />
      </Suspense>
    )
  return <FirstStep onAnswer={take} whole={whole} {...(username !== undefined && { username })} />
}
