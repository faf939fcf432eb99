import { useQuery } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { assignmentsQuery } from '../../../api/queries/access.ts'
import type { Schemas } from '../../../api/schema.d.ts'
import { session } from '../../../api/session/session.ts'
import { judge } from '../../../zone/patterns.ts'
import { useMessages } from '../../../ui/language.tsx'
import type { EditorRow } from '../model.ts'

/**
 * Why a row is locked, or null. The service decides, also while the permissions are still loading. `going`: the row
 * being applied.
 */
export function useLock(domain: Schemas['Domain'], going: string | null): (row: EditorRow) => string | null {
  const m = useMessages('records')
  const words = m.records.locked
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const isPart = domain.access === 'write'
  const { data: grants } = useQuery({
    ...assignmentsQuery({ domainId: domain.id, userId: user?.id ?? '' }),
    enabled: isPart && user !== null,
  })
  return useCallback(
    ({ id, record, now, edit }) => {
      if (id === going) return words.going
      if (edit?.tried?.state === 'pending') return words.pending
      if (domain.access === 'read') return words.read
      if (now.recordType === 'SOA') return words.type
      if (!isPart || !grants) return null
      // By its stored name; a staged edit may change it.
      const { name, recordType } = record ?? now
      return judge(grants, { name, type: recordType }).may === 'change' ? null : words.scope
    },
    [domain.access, grants, isPart, going, words],
  )
}
