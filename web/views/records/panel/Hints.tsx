import { hintsOf, type Around, type Hint } from '../../../zone/hints.ts'
import { useFormats, useMessages } from '../../../ui/language.tsx'
import { Note } from '../../../ui/feedback/Note.tsx'
import { visible } from '../../../ui/visible.ts'
import type { Fields } from '../model.ts'
import styles from '../Records.module.css'

interface HintsProps {
  fields: Pick<Fields, 'name' | 'recordType' | 'value'>
  around: Around
}

/** Hints about a value being typed; none blocks it. */
export function Hints({ fields, around }: HintsProps) {
  const hints = hintsOf(fields, around)
  if (hints.length === 0 || fields.value === '') return null
  return (
    <div role="status" className="stack">
      {hints.map((hint) => (
        <OneHint key={hint.kind} hint={hint} />
      ))}
    </div>
  )
}

function OneHint({ hint }: { hint: Hint }) {
  const m = useMessages('recordHints')
  const { number } = useFormats()
  const words = m.recordHints
  switch (hint.kind) {
    case 'policy':
      return (
        <Note tone="plain">
          {words.parts(hint.policy.of)}
          <dl className={styles['parts']}>
            {hint.policy.parts.map(({ text, term }) => (
              <div key={text}>
                <dt>
                  <code>{visible(text.slice(0, 80))}</code>
                </dt>
                <dd>{words.terms[term] ?? words.unknownTerm}</dd>
              </div>
            ))}
          </dl>
        </Note>
      )
    case 'caa': {
      const text = hint.nobody ? words.caaNobody[hint.tag] : words.caa[hint.tag]
      return text === undefined ? null : <Note tone="plain">{text}</Note>
    }
    case 'spf-lookups':
      return <Note tone="warn">{words.lookups(number(hint.count))}</Note>
    case 'delegation':
      return <Note tone="plain">{words.delegation}</Note>
    default:
      return <Note tone="warn">{words[hint.kind]}</Note>
  }
}
