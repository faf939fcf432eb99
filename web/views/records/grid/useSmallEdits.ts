import { useEffect, useState, useSyncExternalStore } from 'react'
import { changed } from '../../../api/live/live.ts'
import { isOnline } from '../../../api/live/online.ts'
import type { Schemas } from '../../../api/schema.d.ts'
import { session } from '../../../api/session/session.ts'
import { settings } from '../../../api/settings.ts'
import type { Staged } from '../review/staged.ts'
import { useApplied } from '../review/useApplied.ts'

/**
 * Applies a single edit immediately, if the user has chosen so and its plan is one change without warnings; otherwise
 * opens the review. Returns the id of the row being applied, or null.
 */
export function useSmallEdits(domainId: string, staged: Staged, onReview: () => void): string | null {
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const { appliesAtOnce } = useSyncExternalStore(settings.subscribe, settings.get)
  const isOn = user !== null && appliesAtOnce === user.id
  const tell = useApplied(domainId)
  const [going, setGoing] = useState<string | null>(null)

  async function apply(id: string): Promise<'applied' | 'left' | 'to review'> {
    const edit = staged.of(id)
    if (!edit) return 'left'
    const { applyPlan, planEdits, settleFailed } = await import('../review/applying.ts')
    const planned = await planEdits(domainId, [[id, edit]])
    // Further edits are reviewed together with it.
    if (staged.size !== 1 || staged.of(id) !== edit || isCopy(planned.plan)) return 'left'
    if (!isSmall(planned.plan)) return 'to review'
    try {
      const { changeId } = await applyPlan(domainId, planned, staged)
      tell(1, changeId === null ? [] : [changeId])
      changed('record', domainId)
      return 'applied'
    } catch (problem) {
      await settleFailed(domainId, planned, staged, problem)
      return 'to review'
    }
  }
  async function go(id: string) {
    // Offline, it stays staged.
    if (!isOnline()) return
    setGoing(id)
    // The review plans again and shows the error.
    const outcome = await apply(id).catch(() => 'to review')
    setGoing(null)
    if (outcome === 'to review') onReview()
    // Another edit was made during the request.
    const [[next] = []] = staged.entries()
    if (outcome === 'applied' && next !== undefined && staged.size === 1) void go(next)
  }
  useEffect(() => {
    staged.onOnly = isOn ? (id) => void go(id) : null
    return () => {
      staged.onOnly = null
    }
  })
  return going
}

/** The plan is exactly the edit, without warnings. */
const isSmall = ({ creates, updates, deletes, conflicts, warnings }: Schemas['Plan']) =>
  creates.length + updates.length + deletes.length === 1 && conflicts.length === 0 && warnings.length === 0

/** A duplicate that still has to be edited. */
const isCopy = ({ conflicts }: Schemas['Plan']) =>
  conflicts.length > 0 && conflicts.every(({ code }) => code === 'exists')
