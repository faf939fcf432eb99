import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { assignmentsQuery } from '../../api/queries/access.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { session } from '../../api/session/session.ts'
import { hasEnded } from '../../zone/patterns.ts'

/** Whether the user may edit the whole domain, as SOA and sync require. */
export function useMayWriteAll({ id, access }: Schemas['Domain']): boolean {
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const isPart = access === 'write'
  const { data: grants = [] } = useQuery({
    ...assignmentsQuery({ domainId: id, userId: user?.id ?? '' }),
    enabled: isPart && user !== null,
  })
  if (!isPart) return access !== 'read'
  return grants.some(
    (grant) =>
      grant.subdomainPattern === '*' &&
      grant.permission === 'write' &&
      grant.recordTypes === null &&
      !hasEnded(grant),
  )
}
