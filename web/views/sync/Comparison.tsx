import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { hasCode, type Problem } from '../../api/problems.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { Failure } from '../../ui/feedback/Failure.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Badge, Note } from '../../ui/feedback/Note.tsx'
import { Bar } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { useMayWriteAll } from '../../ui/hooks/useMayWriteAll.ts'
import { Differences } from './Differences.tsx'
import { PutBack } from './PutBack.tsx'

/** Previews a sync and runs it; a large number of deletions must be confirmed by typing the name. */
export function Comparison({ domain }: { domain: Schemas['Domain'] }) {
  const m = useMessages('sync')
  const { number } = useFormats()
  const words = m.sync
  const mayWrite = useMayWriteAll(domain)
  const client = useQueryClient()
  const params = { path: { id: domain.id } }
  const key = ['sync', domain.id]
  const {
    data: report,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      api.POST('/api/domains/{id}/sync', { ...params, query: { dryRun: true }, signal }),
    // Only on request, as it calls the provider.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const [isPuttingBack, setPuttingBack] = useState(false)
  const [much, setMuch] = useState<Problem | null>(null)

  async function sync(force: boolean) {
    await api.POST('/api/domains/{id}/sync', { ...params, query: { force } })
    await ended(words.done)
  }
  async function ended(text: string) {
    toast(text)
    changed('record', domain.id)
    changed('domain', domain.id)
    await client.invalidateQueries({ queryKey: key })
  }
  async function start() {
    setPending(true)
    setProblem(null)
    try {
      await sync(false)
    } catch (failure) {
      if (hasCode(failure, 'confirmation_required')) setMuch(failure.problem)
      else setProblem(failure)
    }
    setPending(false)
  }
  if (error && !report) return <ProblemNote error={error} retry={() => void refetch()} />
  if (!report)
    return (
      <>
        <LastError domain={domain} />
        <p role="status">{words.comparing}</p>
        <Loading />
      </>
    )
  const failure = problem ?? error
  const count = report.created + report.updated + report.deleted
  return (
    <>
      {failure !== null && (
        <ProblemNote error={failure} {...(problem === null && { retry: () => void refetch() })} />
      )}
      {failure === null && <LastError domain={domain} />}
      <Bar>
        <Badge tone="good">{words.counts.created(report.created)}</Badge>
        <Badge tone="info">{words.counts.updated(report.updated)}</Badge>
        <Badge tone="bad">{words.counts.deleted(report.deleted)}</Badge>
        <Badge>{words.counts.unchanged(report.unchanged)}</Badge>
        {report.skipped > 0 && <Badge>{words.counts.skipped(report.skipped)}</Badge>}
      </Bar>
      {count === 0 ? <Note tone="good">{words.same}</Note> : <Differences report={report} />}
      <Bar>
        {count > 0 && mayWrite && (
          <Button look="primary" icon="sync" sends isPending={isPending} onPress={() => void start()}>
            {words.apply(count)}
          </Button>
        )}
        {count > 0 && mayWrite && (
          <Button icon="undo" onPress={() => setPuttingBack(true)}>
            {words.putBack}
          </Button>
        )}
        <Button isPending={isFetching} onPress={() => void refetch()}>
          {words.again}
        </Button>
      </Bar>
      {isPuttingBack && (
        <PutBack
          domain={domain}
          onDone={() => ended(words.putBackDone)}
          onClose={() => setPuttingBack(false)}
        />
      )}
      {much && (
        <Confirm
          title={words.muchTitle}
          action={words.force(much.deleted ?? 0)}
          typed={domain.name}
          onConfirm={() => sync(true)}
          onClose={() => setMuch(null)}
        >
          <p>{words.much(much.deleted ?? 0, number((much.unchanged ?? 0) + (much.updated ?? 0)))}</p>
          <p>{words.muchWhy}</p>
        </Confirm>
      )}
    </>
  )
}

/** Error of the last sync, unless a newer one succeeded. */
function LastError({ domain }: { domain: Schemas['Domain'] }) {
  const { lastSyncError, lastSyncErrorCode, lastSyncErrorParams } = domain
  const words = useMessages('sync').sync
  if (lastSyncError === null) return null
  return (
    <Note tone="bad">
      <strong>{words.lastError}</strong>{' '}
      <Failure error={lastSyncError} errorCode={lastSyncErrorCode} errorParams={lastSyncErrorParams} />
    </Note>
  )
}
