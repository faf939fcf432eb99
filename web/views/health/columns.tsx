import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/schema.d.ts'
import { SaidText } from '../../ui/feedback/ReasonList.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import type { Column } from '../../ui/page/Table.tsx'
import { readable, visible } from '../../ui/visible.ts'
import { SeverityBadge } from './severity.tsx'
import { useFindingWords } from './useFindingWords.ts'
import styles from './Health.module.css'

type Finding = Schemas['HealthFinding']

/** Columns of the findings of several domains. */
export function useColumns(): Column<Finding>[] {
  const m = useMessages('health')
  const { ago, utc } = useFormats()
  const { codeOf, detailOf } = useFindingWords()
  const words = m.health
  return [
    {
      id: 'severity',
      title: words.severityOf,
      tight: true,
      cell: ({ severity }) => <SeverityBadge severity={severity} />,
    },
    {
      id: 'code',
      title: words.code,
      head: true,
      cell: (finding) => (
        <div className={styles['what']}>
          {codeOf(finding.code)}
          <div className={styles['detail']}>
            <SaidText said={detailOf(finding)} />
          </div>
        </div>
      ),
    },
    {
      id: 'domain',
      title: words.domain,
      cell: ({ domainId, domainName }) => (
        <Link to="/domains/$id/health" params={{ id: domainId }}>
          {visible(readable(domainName))}
        </Link>
      ),
    },
    { id: 'record', title: words.record, cell: (finding) => <RecordOf finding={finding} /> },
    {
      id: 'since',
      title: words.since,
      tight: true,
      cell: ({ since }) => (
        <time dateTime={since} title={utc(since)} className="muted">
          {ago(since)}
        </time>
      ),
    },
  ]
}

/** Name and type that a finding is about. */
export function RecordOf({ finding: { name, type } }: { finding: Pick<Finding, 'name' | 'type'> }) {
  const m = useMessages('health')
  if (type === null) return <span className="muted">{m.health.wholeDomain}</span>
  return (
    <span className="mono">
      {visible(name)} {type}
    </span>
  )
}
