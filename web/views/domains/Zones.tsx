import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { changed } from '../../api/live/live.ts'
import { zonesQuery } from '../../api/queries/providers.ts'
import type { ConsoleApi, Schemas } from '../../api/schema.d.ts'
import type { TextsOf } from '../../messages/en.ts'
import { Button } from '../../ui/page/Button.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Badge, Empty } from '../../ui/feedback/Note.tsx'
import { Bar, Card, Pager } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { Table, type Column } from '../../ui/page/Table.tsx'
import { visible } from '../../ui/visible.ts'
import { ImportResults } from './ImportResults.tsx'
import { importZones, type ImportResult } from './import-zones.ts'

type Zone = ConsoleApi['/api/provider-configs/{id}/zones']['GET']['answer']['zones'][number]

const SHOWN = 50

/** Zones at a provider; new ones can be selected and imported. */
export function Zones({ config }: { config: Schemas['ProviderConfig'] }) {
  const m = useMessages('addDomains')
  const words = m.addDomains.zones
  const { data: zones, error, isFetching, refetch } = useQuery(zonesQuery(config.id))
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(1)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [run, setRun] = useState<{ total: number; isRunning: boolean; error: unknown } | null>(null)
  const [results, setResults] = useState<readonly ImportResult[]>([])
  const text = typed.trim().toLowerCase()
  const found = (zones ?? []).filter(({ name, unicodeName }) => `${name} ${unicodeName}`.includes(text))
  const fresh = found.filter(({ registered }) => !registered)
  const wanted = (zones ?? []).filter(({ id, registered }) => chosen.has(id) && !registered)

  async function start() {
    setRun({ total: wanted.length, isRunning: true, error: null })
    setResults([])
    let problem: unknown = null
    try {
      await importZones(config.id, wanted, zones ?? [], (some) =>
        setResults((before) => [...before, ...some]),
      )
      setChosen(new Set())
    } catch (failure) {
      problem = failure
    }
    setRun({ total: wanted.length, isRunning: false, error: problem })
    changed('domain')
    changed('provider')
  }
  return (
    <Card
      title={words.title}
      actions={
        <Button icon="sync" isPending={isFetching} onPress={() => void refetch()}>
          {words.reload}
        </Button>
      }
    >
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!zones && !error && <Loading />}
      {zones?.length === 0 && <Empty icon="globe">{words.none}</Empty>}
      {run && run.error !== null && <ProblemNote error={run.error} retry={() => void start()} />}
      {run && <ImportResults results={results} total={run.total} isRunning={run.isRunning} />}
      {zones && zones.length > 0 && (
        <>
          <SearchField
            label={words.filter}
            value={typed}
            onChange={(value) => {
              setTyped(value)
              setPage(1)
            }}
          />
          {found.length === 0 ? (
            <Empty
              icon="search"
              action={<Button onPress={() => setTyped('')}>{m.common.clearFilter}</Button>}
            >
              {words.noneFound}
            </Empty>
          ) : (
            <Table
              label={words.title}
              rows={found.slice((page - 1) * SHOWN, page * SHOWN)}
              idOf={({ id }) => id}
              columns={columns(m, zones)}
              selecting={{
                chosen,
                onChange: setChosen,
                label: (id) => m.common.choose(zones.find((zone) => zone.id === id)?.unicodeName ?? id),
                isFixed: (id) => zones.find((zone) => zone.id === id)?.registered === true,
              }}
            />
          )}
          {found.length > SHOWN && <Pager page={page} limit={SHOWN} total={found.length} onPage={setPage} />}
          <Bar>
            <Button
              look="primary"
              icon="download"
              isDisabled={wanted.length === 0}
              isPending={run?.isRunning === true}
              onPress={() => void start()}
            >
              {words.import(wanted.length)}
            </Button>
            {fresh.length > 0 && (
              <Button onPress={() => setChosen(new Set([...chosen, ...fresh.map(({ id }) => id)]))}>
                {words.chooseNew(fresh.length)}
              </Button>
            )}
          </Bar>
        </>
      )}
    </Card>
  )
}

/** Columns without any data are hidden. */
const columns = (m: TextsOf<'addDomains'>, zones: readonly Zone[]): Column<Zone>[] => {
  const words = m.addDomains.zones
  const state: Column<Zone> = {
    id: 'state',
    title: words.state,
    cell: ({ status, kind }) => (
      <Bar>
        {status !== null && (
          <Badge tone={status === 'active' ? 'good' : 'warn'}>{words.status[status]}</Badge>
        )}
        {kind === 'secondary' && <Badge>{words.kind[kind]}</Badge>}
      </Bar>
    ),
  }
  const servers: Column<Zone> = {
    id: 'servers',
    title: words.servers,
    cell: ({ nameServers }) => <span className="mono">{visible(nameServers?.join(' ') ?? '')}</span>,
  }
  return [
    {
      id: 'name',
      title: words.name,
      head: true,
      cell: ({ name, unicodeName }) => <span title={name}>{visible(unicodeName)}</span>,
    },
    ...(zones.some(({ status, kind }) => status !== null || kind === 'secondary') ? [state] : []),
    ...(zones.some(({ nameServers }) => (nameServers ?? []).length > 0) ? [servers] : []),
    {
      id: 'here',
      title: words.here,
      tight: true,
      cell: ({ registered, domainId }) =>
        registered && domainId !== null ? (
          <Link to="/domains/$id/records" params={{ id: domainId }}>
            {words.open}
          </Link>
        ) : (
          <span className="muted">{words.notHere}</span>
        ),
    },
  ]
}
