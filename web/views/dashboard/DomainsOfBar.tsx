import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { domainsQuery } from '../../api/queries/zones/domains.ts'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { PopoverAt } from '../../ui/dialogs/PopoverAt.tsx'
import { visible } from '../../ui/visible.ts'
import styles from './Dashboard.module.css'

/** Maximum number of domains named; the list has all. */
const SHOWN = 5

interface Search {
  expiresAfter?: string
  expiresBefore: string
  sort: 'expiresAt'
}

interface BarProps extends Omit<ComponentProps<typeof PopoverAt>, 'children'> {
  search: Search
  count: number
}

/** Domains of the active bar, shown next to it. */
export function DomainsOfBar({ search, count, ...place }: BarProps) {
  const m = useMessages('dashboard')
  const { day } = useFormats()
  const { data, isPlaceholderData } = useQuery({
    ...domainsQuery({ ...search, limit: SHOWN }),
    staleTime: 60_000,
  })
  const domains = isPlaceholderData ? [] : (data?.domains ?? [])
  return (
    <PopoverAt {...place}>
      <strong>{place.label}</strong>
      <div role="status">
        <ul className={styles['list']}>
          {domains.map(({ id, unicodeName, expiresAt }) => (
            <li key={id}>
              <Link to="/domains/$id/settings" params={{ id }}>
                {visible(unicodeName)}
              </Link>
              <span className="muted">{expiresAt && day(expiresAt)}</span>
            </li>
          ))}
        </ul>
      </div>
      {count > SHOWN && (
        <Link to="/domains" search={search}>
          {m.dashboard.allOfBar(count)}
        </Link>
      )}
    </PopoverAt>
  )
}
