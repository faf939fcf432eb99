import type { Schemas } from '../../api/schema.d.ts'
import { Badge } from '../../ui/feedback/Note.tsx'
import { SaidText } from '../../ui/feedback/ReasonList.tsx'
import { useReasons } from '../../ui/feedback/reasons.ts'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { visible } from '../../ui/visible.ts'
import styles from './Mirrors.module.css'

/** What the provider of a mirror can't hold as the domain has it; missing records first. */
export function Findings({
  mirror: { findings, moreFindings },
}: {
  mirror: Pick<Schemas['Mirror'], 'findings' | 'moreFindings'>
}) {
  const m = useMessages('mirrors')
  const words = m.mirrors
  const { number } = useFormats()
  const say = useReasons(findings.length > 0)
  if (findings.length === 0) return null
  const ordered = findings.toSorted((a, b) => Number(b.missing) - Number(a.missing))
  return (
    <section className="stack">
      <h3>{words.findings}</h3>
      <ul aria-label={words.findings} className={styles['findings']}>
        {ordered.map(({ name, recordType, value, code, params, message, missing }) => (
          <li key={`${name} ${recordType} ${value} ${code}`}>
            <Badge tone={missing ? 'bad' : 'warn'}>{missing ? words.missing : words.different}</Badge>{' '}
            <code>
              {visible(name)} {recordType} {visible(value)}
            </code>{' '}
            <SaidText said={say({ code, params, text: message })} />
          </li>
        ))}
        {moreFindings > 0 && <li>{words.moreFindings(number(moreFindings))}</li>}
      </ul>
    </section>
  )
}
