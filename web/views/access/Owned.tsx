import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { domainsQuery } from '../../api/queries/zones/domains.ts'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Bar } from '../../ui/page/Page.tsx'
import { visible } from '../../ui/visible.ts'

/** Maximum number of domains listed. */
const SHOWN = 5

/** A user's domains: the first by name, and a link to all. */
export function Owned({ userId }: { userId: string }) {
  const m = useMessages('access')
  const { number } = useFormats()
  const words = m.access.may
  const { data } = useQuery(domainsQuery({ ownerId: userId, limit: SHOWN }))
  if (!data) return null
  if (data.total === 0) return words.ownsNone
  return (
    <Bar>
      <span>
        {words.ownsCount(data.total)}
        {m.common.colon}
      </span>
      {data.domains.map(({ id, unicodeName }) => (
        <Link key={id} to="/domains/$id" params={{ id }}>
          {visible(unicodeName)}
        </Link>
      ))}
      {data.total > SHOWN && (
        <Link to="/domains" search={{ ownerId: userId }}>
          {words.ownsMore(number(data.total))}
        </Link>
      )}
    </Bar>
  )
}
