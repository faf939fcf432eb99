import type { Schemas } from '../../api/schema.d.ts'
import { Badge } from '../../ui/feedback/Note.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { Bar } from '../../ui/page/Page.tsx'
import { Diff } from '../../ui/plan/Diff.tsx'
import { visible } from '../../ui/visible.ts'

type Planned = Schemas['ReviewedPlan']['creates'][number]

interface ChangesProps {
  changes: readonly Planned[]
  leftOut: ReadonlySet<Planned>
  onChange: (leftOut: ReadonlySet<Planned>) => void
}

/** The changes of a request, each of which can be left out. */
export function RequestedChanges({ changes, leftOut, onChange }: ChangesProps) {
  const words = useMessages('changeRequests').changeRequests.editing
  const toggle = (one: Planned) => {
    const next = new Set(leftOut)
    if (!next.delete(one)) next.add(one)
    onChange(next)
  }
  return (
    <Diff
      isPart
      label={words.changes}
      entries={changes.map((one, at) => {
        const { recordId, before, after } = one
        const { name = '', recordType = '', value = '' } = after ?? before ?? {}
        const isOut = leftOut.has(one)
        return {
          id: `${recordId}-${at}`,
          before,
          after,
          note: (
            <Bar>
              {isOut && <Badge tone="warn">{words.isLeftOut}</Badge>}
              <Button look="link" onPress={() => toggle(one)}>
                {isOut ? words.keep : words.leaveOut}
                <span className="hidden"> {visible(`${name} ${recordType} ${value}`)}</span>
              </Button>
            </Bar>
          ),
        }
      })}
    />
  )
}
