import { useQuery } from '@tanstack/react-query'
import { lastApplied } from '../../api/applied.ts'
import { verificationQuery } from '../../api/queries/zones/verification.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Note, type Tone } from '../../ui/feedback/Note.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { LinkButton } from '../../ui/page/Page.tsx'
import { Progress } from '../../ui/verification/Progress.tsx'

/** Other states tell nothing about the change that was just applied. */
const TONES: Partial<Record<Schemas['VerificationStatus'], Tone>> = {
  waiting: 'info',
  verified: 'good',
  failed: 'bad',
}

interface NoticeProps {
  domainId: string
  changeId: string
}

/** How many name servers serve the change that was just applied. */
export function AppliedNotice({ domainId, changeId }: NoticeProps) {
  const m = useMessages('verification')
  const words = m.verification
  const { data: verification } = useQuery(verificationQuery(domainId, changeId))
  const tone = verification && TONES[verification.status]
  if (!tone) return null
  return (
    <Note
      tone={tone}
      actions={
        <>
          <LinkButton to="/domains/$id/history" params={{ id: domainId }} search={{ change: changeId }}>
            {words.showServers}
          </LinkButton>
          <Button onPress={() => lastApplied.set(null)}>{words.hide}</Button>
        </>
      }
    >
      <strong>{words.applied}</strong>
      <Progress verification={verification} />
    </Note>
  )
}
