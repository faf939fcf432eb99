import type { Schemas } from '../../api/schema.d.ts'
import { Badge, type Tone } from '../feedback/Note.tsx'
import { useFormats, useMessages } from '../language.tsx'

const TONES: Record<Schemas['VerificationStatus'], Tone> = {
  none: 'plain',
  waiting: 'info',
  verified: 'good',
  failed: 'bad',
  superseded: 'plain',
  not_comparable: 'plain',
  unreachable: 'warn',
}

/** The state in words: "1 of 3 name servers". */
export function Progress({ verification }: { verification: Schemas['Verification'] }) {
  const m = useMessages('verification')
  const words = m.verification
  const { number } = useFormats()
  const { status, agreeing, comparable } = verification
  const isCounted = comparable > 0 && (status === 'waiting' || status === 'verified' || status === 'failed')
  const texts = [
    ...(isCounted ? [words.serve(number(agreeing), comparable)] : []),
    ...(isCounted && status === 'waiting' ? [] : [words.about[status]]),
  ]
  return (
    <div role="status">
      <Badge tone={TONES[status]}>{words.status[status]}</Badge> {texts.join(m.common.gap)}
    </div>
  )
}
