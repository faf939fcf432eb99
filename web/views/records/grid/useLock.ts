import { useQuery } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { assignmentsQuery } from '../../../api/queries/access.ts'
import type { Schemas } from '../../../api/schema.d.ts'
import { session } from '../../../api/session.ts'
import { judge } from '../../../zone/patterns.ts'
import { useMessages } from '../../../ui/language.tsx'
import type { EditorRow } from '../model.ts'

/**
 * Why a row can't be changed here, or null. The service has the last word, also while the own rights are not known.
 * `going`: the row that is being applied.
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
      // As it is at the service: what is staged may have another name.
      const { name, recordType } = record ?? now
      return judge(grants, { name, type: recordType }).may === 'change' ? null : words.scope
    },
    [domain.access, grants, isPart, going, words],
  )
}
