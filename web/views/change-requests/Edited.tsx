import type { Schemas } from '../../api/schema.d.ts'
import { changesOnlyIn } from '../../zone/diff.ts'
import { Button } from '../../ui/page/Button.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { Diff } from '../../ui/plan/Diff.tsx'
import { visible } from '../../ui/visible.ts'

type Request = Schemas['ChangeRequest']

interface EditedProps {
  /** As the user has looked at it. */
  seen: Request
  now: Request
  onAccept: () => void
}

const changesOf = ({ plan: { creates, updates, deletes } }: Request) => [...deletes, ...updates, ...creates]

/** What changed in a request since the user opened it. */
export function Edited({ seen, now, onAccept }: EditedProps) {
  const m = useMessages('changeRequests')
  const words = m.changeRequests.edited
  const { number } = useFormats()
  const added = changesOnlyIn(changesOf(now), changesOf(seen))
  const removed = changesOnlyIn(changesOf(seen), changesOf(now))
  const groups = [
    { title: words.added, changes: added },
    { title: words.removed, changes: removed },
  ].filter(({ changes }) => changes.length > 0)
  return (
    <Note tone="warn" alert actions={<Button onPress={onAccept}>{words.accept}</Button>}>
      <p>{words.title(number(now.revision))}</p>
      {seen.title !== now.title && <p>{words.renamed(visible(seen.title))}</p>}
      {seen.reason !== now.reason && <p>{words.newReason}</p>}
      {groups.length === 0 && <p>{words.same}</p>}
      {groups.map(({ title, changes }) => (
        <div key={title}>
          <strong>{title}</strong>
          <Diff
            isPart
            label={title}
            entries={changes.map(({ before, after }, at) => ({ id: String(at), before, after }))}
          />
        </div>
      ))}
    </Note>
  )
}
