import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { domainsQuery, recordTypesQuery } from '../../api/queries/zones/domains.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { judge, typedName } from '../../zone/patterns.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Select } from '../../ui/fields/Choice.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Fields } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { Card, LinkButton } from '../../ui/page/Page.tsx'
import { visible } from '../../ui/visible.ts'
import { AssignmentDialog } from './AssignmentDialog.tsx'
import { useMay } from './Assignments.tsx'

export interface Person {
  id: string
  username: string
  role: Schemas['Role']
}

type Domain = Schemas['DomainListItem']

/** Possible domains of a full name: each of its suffixes. */
const parents = (full: string) => full.split('.').map((_, at, labels) => labels.slice(at).join('.'))

interface TesterProps {
  person: Person
  /** The signed-in user. */
  isMe: boolean
  assignments: readonly Schemas['Assignment'][]
}

/** Whether a user may edit a record of a name and type, and why. */
export function Tester({ person, isMe, assignments }: TesterProps) {
  const m = useMessages('access')
  const words = m.access.may
  const { data: types = [] } = useQuery(recordTypesQuery)
  const [typed, setTyped] = useState('')
  const [type, setType] = useState('A')
  const full = useDeferredValue(typed.trim().toLowerCase().replace(/\.$/, ''))
  const domain = useDomainOf(full)
  return (
    <Card title={words.tester}>
      <Fields>
        <TextField
          label={words.full}
          help={words.fullHelp}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
          mono
        />
        <Select
          label={words.type}
          value={type}
          onChange={setType}
          options={types.map((one) => ({ id: one.type, text: one.type }))}
        />
      </Fields>
      <div role="status">
        {domain === null && <Note>{words.noDomain}</Note>}
        {domain && <Answer key={full} {...{ person, isMe, assignments, domain, full, type }} />}
      </div>
    </Card>
  )
}

/** Domain of a full name: undefined while loading, null if not found. */
function useDomainOf(full: string): Domain | null | undefined {
  const names = parents(full)
  // Search by the last labels of the longest candidate.
  const search = names.at(-2) ?? ''
  const { data, isPlaceholderData } = useQuery({
    ...domainsQuery({ search, limit: 100 }),
    enabled: search !== '',
  })
  if (search === '' || !data || isPlaceholderData) return undefined
  const fitting = data.domains.filter(({ name }) => names.includes(name))
  return fitting.sort((a, b) => b.name.length - a.name.length)[0] ?? null
}

interface AnswerProps extends TesterProps {
  domain: Domain
  full: string
  type: string
}

function Answer({ person, isMe, assignments, domain, full, type }: AnswerProps) {
  const m = useMessages('access')
  const words = m.access.may
  const mayWords = useMay()
  const [isGiving, setGiving] = useState(false)
  const name = typedName(full, domain.name)
  const isOwner = domain.owner.id === person.id
  const { may, by } =
    isOwner || person.role === 'admin'
      ? { may: 'change' as const, by: null }
      : judge(
          assignments.filter(({ domainId }) => domainId === domain.id),
          { name, type },
        )
  const what = `${visible(full)} ${type}`
  const mayGive = domain.access === 'owner' || domain.access === 'admin'
  return (
    <Note
      tone={may === 'change' ? 'good' : may === 'read' ? 'info' : 'warn'}
      actions={
        may !== 'change' &&
        (mayGive ? (
          <Button icon="plus" onPress={() => setGiving(true)}>
            {words.giveThis}
          </Button>
        ) : isMe ? (
          <LinkButton to="/requests" search={{ domain: domain.name, name }} icon="inbox">
            {words.askThis}
          </LinkButton>
        ) : undefined)
      }
    >
      <p>
        <strong>{words.answers[may](visible(person.username), what)}</strong>
      </p>
      {isOwner && <p>{words.because.owner}</p>}
      {!isOwner && person.role === 'admin' && <p>{words.because.admin}</p>}
      {by && <p>{words.because.grant(by.host, mayWords(by))}</p>}
      {may !== 'change' && <p>{words.because.missing(name, domain.name, type)}</p>}
      {isGiving && (
        <AssignmentDialog
          domain={domain}
          wish={{ username: person.username, pattern: name, recordTypes: [type] }}
          onClose={() => setGiving(false)}
        />
      )}
    </Note>
  )
}
