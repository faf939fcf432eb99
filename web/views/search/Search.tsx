import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { recordSearchQuery } from '../../api/queries/zones/many-domains.ts'
import { Button } from '../../ui/page/Button.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Empty, Note } from '../../ui/feedback/Note.tsx'
import { Page, Pager } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { StickyBar } from '../../ui/page/StickyBar.tsx'
import { ReplaceDialog } from './ReplaceDialog.tsx'
import { Results, type FoundRecord } from './Results.tsx'

/** Delay before a search starts, in milliseconds. */
const TYPING_MS = 300

/** Searches records of all domains; values of selected ones can be replaced. */
export function Search() {
  const m = useMessages('search')
  const words = m.search
  const { q = '', page = 1 } = useSearch({ from: '/inside/search' })
  const navigate = useNavigate({ from: '/search' })
  const [typed, setTyped] = useState(q)
  const [chosen, setChosen] = useState<ReadonlyMap<string, FoundRecord>>(new Map())
  const [isReplacing, setReplacing] = useState(false)
  const { data: found, error, refetch } = useQuery({ ...recordSearchQuery(q, page), enabled: q !== '' })
  const records: readonly FoundRecord[] = found?.records ?? []

  const look = (text: string) => {
    setChosen(new Map())
    void navigate({ search: { q: text.trim() || undefined }, replace: true })
  }
  useEffect(() => setTyped(q), [q])
  useEffect(() => {
    if (typed.trim() === q) return
    const timer = setTimeout(() => look(typed), TYPING_MS)
    return () => clearTimeout(timer)
  })
  const choose = (ids: ReadonlySet<string>) => {
    const known = new Map([...chosen, ...records.map((one) => [one.id, one] as const)])
    setChosen(new Map([...known].filter(([id]) => ids.has(id))))
  }
  return (
    <Page wide title={words.title} about={words.about}>
      <SearchField label={words.box} value={typed} onChange={setTyped} onSubmit={look} autoFocus />
      {q === '' && <Empty icon="search">{words.start}</Empty>}
      {q !== '' && error && <ProblemNote error={error} retry={() => void refetch()} />}
      {q !== '' && !found && !error && <Loading />}
      {q !== '' && found && (
        <>
          <div role="status">
            {found.total > 0 ? (
              words.found(found.total)
            ) : (
              <Empty icon="search" action={<Button onPress={() => look('')}>{m.common.clear}</Button>}>
                {words.none}
              </Empty>
            )}
          </div>
          {!found.complete && <Note tone="warn">{words.incomplete}</Note>}
          <Results records={records} chosen={new Set(chosen.keys())} onChoose={choose} />
          {found.total > found.limit && (
            <Pager
              page={found.page}
              limit={found.limit}
              total={found.total}
              onPage={(next) => void navigate({ search: { q, page: next > 1 ? next : undefined } })}
            />
          )}
        </>
      )}
      {chosen.size > 0 && (
        <StickyBar label={words.chosen(chosen.size)}>
          <strong role="status">{words.chosen(chosen.size)}</strong>
          <Button look="primary" onPress={() => setReplacing(true)}>
            {words.replace}
          </Button>
          <Button look="plain" onPress={() => setChosen(new Map())}>
            {m.common.clear}
          </Button>
        </StickyBar>
      )}
      {isReplacing && (
        <ReplaceDialog
          chosen={[...chosen.values()]}
          q={q}
          onClose={() => {
            setReplacing(false)
            setChosen(new Map())
          }}
        />
      )}
    </Page>
  )
}
