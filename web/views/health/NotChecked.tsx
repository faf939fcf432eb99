import type { Schemas } from '../../api/schema.d.ts'
import { Note } from '../../ui/feedback/Note.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { visible } from '../../ui/visible.ts'
import { useFindingWords } from './useFindingWords.ts'

type NotCheckedProps = Pick<Schemas['DomainHealth'], 'notChecked' | 'omitted'>

/** What the last check could not find out, and findings that are only counted. */
export function NotChecked({ notChecked, omitted }: NotCheckedProps) {
  const m = useMessages('health')
  const words = m.health
  const { list } = useFormats()
  const { codeOf } = useFindingWords()
  const why = ({ reason, subject, detail }: Schemas['NotChecked']) => {
    const known = words.unknown[reason]
    if (known === undefined) return <span lang="en">{visible(detail)}</span>
    return subject === null ? known : `${visible(subject)}${m.common.colon}${known}`
  }
  return (
    <>
      {omitted.length > 0 && (
        <Note>{m.common.phrases(omitted.map(({ code, count }) => words.omitted(codeOf(code), count)))}</Note>
      )}
      {notChecked.length > 0 && (
        <Note>
          <strong>{words.notChecked}</strong>
          <ul>
            {notChecked.map((one) => (
              <li key={`${one.reason} ${one.subject} ${one.codes.join(' ')}`}>
                {why(one)} <span className="muted">{list(one.codes.map(codeOf))}</span>
              </li>
            ))}
          </ul>
        </Note>
      )}
    </>
  )
}
