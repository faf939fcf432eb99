import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { assignmentsQuery } from '../../api/queries/access.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { session } from '../../api/session/session.ts'
import { hasEnded } from '../../zone/patterns.ts'

type Domain = Pick<Schemas['Domain'], 'id' | 'access'>

/** Whether the user may edit the whole domain, as SOA and sync require. */
export function useMayWriteAll({ id, access }: Domain): boolean {
  const isPart = access === 'write'
  const grants = useGrantsOfAll(id, isPart)
  if (!isPart) return access !== 'read'
  return grants?.some(({ permission }) => permission === 'write') ?? false
}

/** Whether the user sees the whole domain, as its mirrors require; null while that is being read. */
export function useSeesAll({ id, access }: Domain): boolean | null {
  const isGranted = access === 'read' || access === 'write'
  const grants = useGrantsOfAll(id, isGranted)
  if (!isGranted) return true
  return grants ? grants.length > 0 : null
}

/** Current permissions of the user that cover a whole domain; undefined while they are being read. */
function useGrantsOfAll(domainId: string, isAsked: boolean) {
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const { data } = useQuery({
    ...assignmentsQuery({ domainId, userId: user?.id ?? '' }),
    enabled: isAsked && user !== null,
  })
  return data?.filter(
    (grant) => grant.subdomainPattern === '*' && grant.recordTypes === null && !hasEnded(grant),
  )
}
