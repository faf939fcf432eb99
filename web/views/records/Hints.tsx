import { hintsOf } from '../../dns/hints.ts'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/Note.tsx'
import { visible } from '../../ui/visible.ts'
import type { Fields } from './model.ts'

/** What is worth knowing about a value while it is typed: nothing of it is refused here. */
export function Hints({ fields }: { fields: Pick<Fields, 'name' | 'recordType' | 'value'> }) {
  const m = useMessages('records')
  const { number } = useFormats()
  const words = m.records.hints
  const hints = hintsOf(fields)
  if (hints.length === 0) return null
  return (
    <div role="status" className="stack">
      {hints.map((hint) => {
        if (hint.kind === 'parts') {
          return (
            <Note key={hint.kind} tone="plain">
              {words.parts(hint.of)}
              <ul>
                {hint.parts.map((part) => (
                  <li key={part}>
                    <code>{visible(part.slice(0, 100))}</code>
                  </li>
                ))}
              </ul>
            </Note>
          )
        }
        return (
          <Note key={hint.kind} tone="warn">
            {hint.kind === 'spf-lookups' ? words.lookups(number(hint.count)) : words[hint.kind]}
          </Note>
        )
      })}
    </div>
  )
}
