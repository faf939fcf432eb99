import { useQuery } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { assignmentsQuery } from '../../api/queries/access.ts'
import { domainsQuery } from '../../api/queries/zones/domains.ts'
import { switchableQuery } from '../../api/queries/zones/failover.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { session } from '../../api/session/session.ts'
import { ComboBox } from '../../ui/fields/ComboBox.tsx'
import { Fields } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { visible } from '../../ui/visible.ts'
import { judge } from '../../zone/patterns.ts'

export interface ChosenRrset {
  domainId: string
  name: string
  recordType: Schemas['DnsRecord']['recordType']
  values: string[]
  /** Null if the provider chooses. */
  ttl: number | null
}

const PROPOSALS = 20

type Place = Pick<Schemas['Domain'], 'id' | 'unicodeName' | 'access'>

interface RrsetProps {
  chosen: ChosenRrset | null
  onChoose: (chosen: ChosenRrset | null) => void
}

/** The domain and the RRset, of those that the user may change. */
export function RrsetFields({ chosen, onChoose }: RrsetProps) {
  const words = useMessages('failoverForm').failoverForm
  const [typed, setTyped] = useState('')
  const [domain, setDomain] = useState<Place | null>(null)
  const search = typed.trim()
  const { data } = useQuery(
    domainsQuery({ ...(search !== '' && domain === null && { search }), limit: PROPOSALS }),
  )
  const found = (data?.domains ?? []).filter(({ access }) => access !== 'read')
  return (
    <Fields>
      <ComboBox
        label={words.domain}
        value={typed}
        onChange={(text) => {
          setTyped(text)
          if (domain === null || text === visible(domain.unicodeName)) return
          setDomain(null)
          onChoose(null)
        }}
        onChoose={(id) => {
          const one = found.find((own) => own.id === id)
          if (!one) return
          setDomain(one)
          setTyped(visible(one.unicodeName))
          onChoose(null)
        }}
        options={found.map(({ id, unicodeName }) => ({ id, text: visible(unicodeName) }))}
      />
      {domain && <RrsetField key={domain.id} domain={domain} chosen={chosen} onChoose={onChoose} />}
    </Fields>
  )
}

function RrsetField({ domain, chosen, onChoose }: RrsetProps & { domain: Place }) {
  const words = useMessages('failoverForm').failoverForm
  const [typed, setTyped] = useState('')
  const labelOf = ({ name, recordType }: Pick<ChosenRrset, 'name' | 'recordType'>) =>
    `${visible(name)} ${recordType}`
  const search = chosen ? '' : (typed.trim().split(' ')[0] ?? '')
  const { data } = useQuery(switchableQuery(domain.id, search === '@' ? '' : search))
  const mayChange = useMayChange(domain)
  const sets = rrsetsOf(domain.id, data?.records ?? []).filter(mayChange)
  return (
    <ComboBox
      label={words.rrset}
      help={words.rrsetHelp}
      name="name"
      mono
      value={typed}
      onChange={(text) => {
        setTyped(text)
        if (chosen && text !== labelOf(chosen)) onChoose(null)
      }}
      onChoose={(id) => {
        const one = sets.find((own) => labelOf(own) === id)
        if (!one) return
        setTyped(labelOf(one))
        onChoose(one)
      }}
      options={sets.slice(0, PROPOSALS).map((one) => ({
        id: labelOf(one),
        text: labelOf(one),
        note: visible(one.values.join(', ')),
      }))}
    />
  )
}

/** Enabled records by name and type, with the longest TTL. */
function rrsetsOf(domainId: string, records: readonly Schemas['DnsRecord'][]): ChosenRrset[] {
  const groups = Map.groupBy(
    records.filter(({ enabled }) => enabled),
    ({ name, recordType }) => `${name} ${recordType}`,
  )
  return [...groups.values()].flatMap((own) => {
    const [first] = own
    if (!first) return []
    const ttls = own.flatMap(({ ttl }) => ttl ?? [])
    const { name, recordType } = first
    const ttl = ttls.length > 0 ? Math.max(...ttls) : null
    return [{ domainId, name, recordType, values: own.map(({ value }) => value), ttl }]
  })
}

/** Whether the user's permissions on a domain cover a name and type. */
function useMayChange({ id, access }: Place): (rrset: ChosenRrset) => boolean {
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const isPart = access === 'write'
  const { data: grants = [] } = useQuery({
    ...assignmentsQuery({ domainId: id, userId: user?.id ?? '' }),
    enabled: isPart && user !== null,
  })
  return ({ name, recordType: type }) => !isPart || judge(grants, { name, type }).may === 'change'
}
