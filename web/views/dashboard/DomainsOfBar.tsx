import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { domainsQuery } from '../../api/queries/domains.ts'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { visible } from '../../ui/visible.ts'
import styles from './Dashboard.module.css'

/** Named of one bar; the list has them all. */
const SHOWN = 5

interface Search {
  expiresAfter?: string
  expiresBefore: string
  sort: 'expiresAt'
}

/** Which domains the bar of the timeline that is looked at stands for; before that how to look at one. */
export function DomainsOfBar({
  title,
  search,
  count,
}: {
  title: string | null
  search: Search | null
  count: number
}) {
  const m = useMessages('dashboard')
  const { day } = useFormats()
  const { data, isPlaceholderData } = useQuery({
    ...domainsQuery({ ...search, limit: SHOWN }),
    enabled: search !== null,
    staleTime: 60_000,
  })
  return (
    <div className={styles['looked']} role="status">
      {title === null || search === null ? (
        <span className="muted">{m.dashboard.lookAtBar}</span>
      ) : (
        <>
          <strong>{title}</strong>
          {!isPlaceholderData &&
            data?.domains.map(({ id, unicodeName, expiresAt }) => (
              <span key={id}>
                <Link to="/domains/$id/settings" params={{ id }}>
                  {visible(unicodeName)}
                </Link>{' '}
                <span className="muted">{expiresAt && day(expiresAt)}</span>
              </span>
            ))}
          {count > SHOWN && (
            <Link to="/domains" search={search}>
              {m.dashboard.allOfBar(count)}
            </Link>
          )}
        </>
      )}
    </div>
  )
}
