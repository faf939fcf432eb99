import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { domainQuery } from '../../api/queries/zones/domains.ts'
import { healthQuery } from '../../api/queries/zones/health.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Empty, Note } from '../../ui/feedback/Note.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { useTitle } from '../../ui/page/Page.tsx'
import { FindingGroups } from './FindingGroups.tsx'
import { FixDialog } from './late-fix.ts'
import { NotChecked } from './NotChecked.tsx'
import styles from './Health.module.css'

/** The findings of one domain, with the changes that remove them. */
export function DomainHealth() {
  const m = useMessages('domain', 'health')
  const words = m.health
  const { ago, utc } = useFormats()
  const client = useQueryClient()
  const { id } = useParams({ from: '/inside/domains/$id/health' })
  const { data: domain } = useSuspenseQuery(domainQuery(id))
  const { data: health, error, refetch } = useQuery(healthQuery(id))
  const [isChecking, setChecking] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const [fixed, setFixed] = useState<Schemas['HealthFinding'] | null>(null)
  useTitle(`${domain.unicodeName} · ${m.domain.health}`)

  async function check() {
    setChecking(true)
    setProblem(null)
    try {
      const found = await api.POST('/api/domains/{id}/health/check', { path: { id } })
      client.setQueryData(healthQuery(id).queryKey, found)
      changed('health')
    } catch (failure) {
      setProblem(failure)
    }
    setChecking(false)
  }
  if (error && !health) return <ProblemNote error={error} retry={() => void refetch()} />
  if (!health) return <Loading />
  const { checkedAt, findings, notChecked, omitted } = health
  return (
    <div className="stack">
      <div className={styles['head']}>
        {checkedAt === null ? (
          <p>{words.neverChecked}</p>
        ) : (
          <time dateTime={checkedAt} title={utc(checkedAt)}>
            {words.checked(ago(checkedAt))}
          </time>
        )}
        <Button icon="sync" sends isPending={isChecking} onPress={() => void check()}>
          {words.check}
        </Button>
      </div>
      <div role="status">{isChecking && <Note tone="info">{words.checking}</Note>}</div>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {problem !== null && <ProblemNote error={problem} />}
      {checkedAt !== null && findings.length === 0 && <Empty icon="check">{words.none}</Empty>}
      <FindingGroups findings={findings} onFix={domain.access === 'read' ? null : setFixed} />
      <NotChecked notChecked={notChecked} omitted={omitted} />
      {fixed && (
        <Suspense>
          <FixDialog
            domain={domain}
            finding={fixed}
            onFixed={() => void check()}
            onClose={() => setFixed(null)}
          />
        </Suspense>
      )}
    </div>
  )
}
