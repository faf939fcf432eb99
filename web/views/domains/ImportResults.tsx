import { Link } from '@tanstack/react-router'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Badge, Note } from '../../ui/feedback/Note.tsx'
import { ToldProblem } from '../../ui/feedback/ToldProblem.tsx'
import { visible } from '../../ui/visible.ts'
import type { ImportResult } from './import-zones.ts'
import styles from './Domains.module.css'

interface ResultsProps {
  results: readonly ImportResult[]
  total: number
  isRunning: boolean
}

/** Results of an import, failures first. */
export function ImportResults({ results, total, isRunning }: ResultsProps) {
  const m = useMessages('addDomains')
  const { number } = useFormats()
  const words = m.addDomains.zones
  const failed = results.filter(({ success }) => !success)
  const done = results.length - failed.length
  return (
    <>
      <div role="status">
        {isRunning ? (
          <Note tone="info">{words.importing(number(results.length), number(total))}</Note>
        ) : (
          results.length > 0 && (
            <Note tone={failed.length === 0 ? 'good' : 'warn'}>
              {words.imported(done)}
              {m.common.gap}
              {failed.length > 0 && words.failed(failed.length)}
            </Note>
          )
        )}
      </div>
      {results.length > 0 && (
        <ul className={styles['results']} aria-label={words.results}>
          {[...failed, ...results.filter(({ success }) => success)].map((result) => (
            <Result key={result.zone} result={result} />
          ))}
        </ul>
      )}
    </>
  )
}

function Result({
  result: { zone, success, domainId, synced, unmanaged, problem },
}: {
  result: ImportResult
}) {
  const m = useMessages('addDomains', 'domains')
  const words = m.addDomains.zones
  if (!success || domainId === null)
    return (
      <li>
        <span>{visible(zone)}</span>
        <Badge tone="bad">{m.domains.run.failed}</Badge>
        {problem && <ToldProblem problem={problem} />}
      </li>
    )
  return (
    <li>
      <Link to="/domains/$id/records" params={{ id: domainId }}>
        {visible(zone)}
      </Link>
      <Badge tone="good">{words.records(synced ?? 0)}</Badge>
      {unmanaged !== null && unmanaged > 0 && <Badge>{words.unmanaged(unmanaged)}</Badge>}
    </li>
  )
}
