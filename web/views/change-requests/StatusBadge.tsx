import type { Schemas } from '../../api/schema.d.ts'
import { useMessages } from '../../ui/language.tsx'
import { Badge, type Tone } from '../../ui/feedback/Note.tsx'

export type RequestStatus = Schemas['ChangeRequestStatus']

export const TONES: Record<RequestStatus, Tone> = {
  open: 'info',
  approved: 'warn',
  applied: 'good',
  failed: 'bad',
  rejected: 'bad',
  withdrawn: 'plain',
  outdated: 'warn',
}

export function StatusBadge({ status }: { status: RequestStatus }) {
  const m = useMessages('changeRequests')
  return <Badge tone={TONES[status]}>{m.changeRequests.status[status]}</Badge>
}
