import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { assignmentsQuery } from '../../api/queries/access.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { session } from '../../api/session/session.ts'
import { hasEnded } from '../../zone/patterns.ts'

/** Whether the user sees the whole domain, as its mirrors require; null while that is being read. */
export function useSeesAll({ id, access }: Schemas['Domain']): boolean | null {
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const isGranted = access === 'read' || access === 'write'
  const { data: grants } = useQuery({
    ...assignmentsQuery({ domainId: id, userId: user?.id ?? '' }),
    enabled: isGranted && user !== null,
  })
  if (!isGranted) return true
  if (!grants) return null
  return grants.some(
    (grant) => grant.subdomainPattern === '*' && grant.recordTypes === null && !hasEnded(grant),
  )
}
