import type { Schemas } from '../../api/schema.d.ts'
import { Originals, SaidText } from '../../ui/feedback/ReasonList.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { Card } from '../../ui/page/Page.tsx'
import { RecordOf } from './columns.tsx'
import { SEVERITIES } from './severity.tsx'
import { useFindingWords } from './useFindingWords.ts'
import styles from './Health.module.css'

type Finding = Schemas['HealthFinding']

interface GroupsProps {
  findings: readonly Finding[]
  /** Opens the changes that remove a finding; null: the user can't change records. */
  onFix: ((finding: Finding) => void) | null
}

/** The findings of a domain by severity, then by what is wrong. */
export function FindingGroups({ findings, onFix }: GroupsProps) {
  const m = useMessages('health')
  const { number } = useFormats()
  return SEVERITIES.map((severity) => {
    const own = findings.filter((finding) => finding.severity === severity)
    if (own.length === 0) return null
    return (
      <Card key={severity} title={m.common.beside(m.health.groups[severity], number(own.length))}>
        {[...Map.groupBy(own, ({ code }) => code)].map(([code, all]) => (
          <CodeGroup key={code} code={code} findings={all} onFix={onFix} />
        ))}
      </Card>
    )
  })
}

/** All findings of one code, below what it means. */
function CodeGroup({ code, findings, onFix }: GroupsProps & { code: string }) {
  const m = useMessages('health')
  const words = m.health
  const { ago, utc } = useFormats()
  const { codeOf, explanationOf, detailOf } = useFindingWords()
  const said = findings.map(detailOf)
  const [first] = findings
  return (
    <section className={styles['group']}>
      <h3>{codeOf(code)}</h3>
      {first && <p className="muted">{explanationOf(first)}</p>}
      <ul className={styles['findings']} aria-label={codeOf(code)}>
        {findings.map((finding, at) => (
          <li key={finding.id} className={styles['finding']}>
            <div className={styles['text']}>
              <div>
                <RecordOf finding={finding} />{' '}
                <time dateTime={finding.since} title={utc(finding.since)} className="muted">
                  {words.sinceWhen(ago(finding.since))}
                </time>
              </div>
              {said[at] && <SaidText said={said[at]} />}
            </div>
            {onFix && finding.fix !== null && (
              <Button icon="edit" onPress={() => onFix(finding)}>
                {words.fix}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Originals texts={[...new Set(said.flatMap(({ original }) => original ?? []))]} />
    </section>
  )
}
