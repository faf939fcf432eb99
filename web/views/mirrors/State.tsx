import type { Schemas } from '../../api/schema.d.ts'
import { Failure } from '../../ui/feedback/Failure.tsx'
import { Badge, Note, type Tone } from '../../ui/feedback/Note.tsx'
import { useMessages } from '../../ui/language.tsx'

const TONES: Record<Schemas['MirrorState'], Tone> = {
  in_step: 'good',
  behind: 'info',
  failed: 'bad',
  differs: 'warn',
}

/** How a mirror relates to its domain, in a word. */
export function State({ mirror: { state, behind } }: { mirror: Schemas['Mirror'] }) {
  const words = useMessages('mirrors').mirrors.state
  return <Badge tone={TONES[state]}>{state === 'behind' ? words.behind(behind) : words[state]}</Badge>
}

/** Why the last attempt to change a mirror failed. */
export function LastFailure({ mirror: { state, error, errorCode } }: { mirror: Schemas['Mirror'] }) {
  const words = useMessages('mirrors').mirrors
  if (error === null) return null
  return (
    <Note tone={state === 'failed' ? 'bad' : 'warn'}>
      <strong>{state === 'failed' ? words.failed : words.tried}</strong>{' '}
      <Failure error={error} errorCode={errorCode} />
    </Note>
  )
}
