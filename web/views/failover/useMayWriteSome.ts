import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { domainsQuery } from '../../api/queries/zones/domains.ts'
import { session } from '../../api/session/session.ts'

const LOOKED_AT = 100

/** Whether the user may write to any domain; of many domains only some are looked at, and the service decides. */
export function useMayWriteSome(): boolean {
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const isAdministrator = user?.role === 'admin'
  const { data } = useQuery({ ...domainsQuery({ limit: LOOKED_AT }), enabled: !isAdministrator })
  if (isAdministrator) return true
  if (!data) return false
  return data.total > LOOKED_AT || data.domains.some(({ access }) => access !== 'read')
}
