import { lastApplied } from '../../../api/applied.ts'
import { api } from '../../../api/client.ts'
import { changed } from '../../../api/live/live.ts'
import { hasCode } from '../../../api/problems.ts'
import { useMessages } from '../../../ui/language.tsx'
import { toast } from '../../../ui/feedback/Toast.tsx'

/** Shows the number of applied changes and offers to revert them, by their ids. */
export function useApplied(domainId: string): (count: number, changeIds: readonly string[]) => void {
  const m = useMessages('records')
  const words = m.records
  return (count, changeIds) => {
    const changeId = changeIds.at(-1)
    if (changeId !== undefined) lastApplied.set({ domainId, changeId })
    toast(words.appliedCount(count), {
      text: m.common.undo,
      onPress: () =>
        void takeBack(domainId, changeIds).then(
          () => toast(words.undone),
          (problem) =>
            toast(m.problems.byCode[hasCode(problem, 'review_required') ? 'review_required' : 'conflict']),
        ),
    })
  }
}

/** Reverts changes, newest first. */
async function takeBack(domainId: string, changeIds: readonly string[]): Promise<void> {
  for (const changeId of changeIds.toReversed()) {
    await api.POST('/api/domains/{id}/changes/{changeId}/revert', {
      path: { id: domainId, changeId },
    })
  }
  changed('record', domainId)
}
