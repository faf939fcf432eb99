import type { AuditEntry } from '../../api/queries/audit.ts'
import { useMessages } from '../../ui/language.tsx'
import { visible } from '../../ui/visible.ts'
import styles from './Audit.module.css'

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  const isPlainList = Array.isArray(value) && value.every((one) => typeof one === 'string')
  return isPlainList ? value.join(', ') : JSON.stringify(value, null, 1)
}

/** Changed fields, before and after. */
export function FieldDiff({ entry: { action, before, after } }: { entry: AuditEntry }) {
  const m = useMessages('audit')
  const words = m.audit
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  if (names.length === 0) return null
  return (
    <details className={styles['details']}>
      <summary>{words.details}</summary>
      <div className={styles['box']}>
        <table
          className={styles['fields']}
          aria-label={`${words.details}${m.common.colon}${words.actions[action] ?? action}`}
        >
          <thead>
            <tr>
              <th scope="col">{words.field}</th>
              {before && <th scope="col">{words.before}</th>}
              {after && <th scope="col">{words.after}</th>}
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <th scope="row" title={name}>
                  {words.fields[name] ?? name}
                </th>
                {before && <Value value={before[name]} look="removed" />}
                {after && <Value value={after[name]} look="added" />}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

function Value({ value, look }: { value: unknown; look: 'added' | 'removed' }) {
  const { audit: words } = useMessages('audit')
  if (value === undefined) return <td>{words.nothing}</td>
  const text = textOf(value)
  return (
    <td className={styles[look]}>
      <span aria-hidden="true">{look === 'added' ? '+ ' : '− '}</span>
      {text.split('\n').map(visible).join('\n')}
    </td>
  )
}
