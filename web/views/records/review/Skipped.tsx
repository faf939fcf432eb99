import { useFormats, useMessages } from '../../../ui/language.tsx'
import { Note } from '../../../ui/feedback/Note.tsx'
import { Originals, SaidText } from '../../../ui/feedback/ReasonList.tsx'
import { useReasons } from '../../../ui/feedback/reasons.ts'
import { visible } from '../../../ui/visible.ts'
import type { PlannedZone } from '../zone-files/zone-plan.ts'

/** Maximum number of skipped lines listed. */
const LISTED = 100

/** Skipped lines of the file, with reasons. */
export function Skipped({ skipped }: Pick<PlannedZone, 'skipped'>) {
  const m = useMessages('zoneFiles')
  const { number } = useFormats()
  const say = useReasons(skipped.length > 0)
  const told = skipped
    .slice(0, LISTED)
    .map(({ reason, ...one }) => ({ ...one, said: say({ ...one, text: reason }) }))
  if (skipped.length === 0) return null
  return (
    <Note tone="info">
      {m.zoneFiles.text.skipped} {number(skipped.length)}
      <ul>
        {told.map(({ line, name, type, said }) => (
          <li key={line}>
            {m.zoneFiles.paste.line(line)}{' '}
            <code>
              {visible(name)} {visible(type)}
            </code>{' '}
            <SaidText said={said} />
          </li>
        ))}
      </ul>
      <Originals texts={[...new Set(told.flatMap(({ said }) => said.original ?? []))]} />
    </Note>
  )
}
