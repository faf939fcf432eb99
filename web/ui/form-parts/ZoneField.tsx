import { useQuery } from '@tanstack/react-query'
import { zonesQuery } from '../../api/queries/providers.ts'
import { Select } from '../fields/Choice.tsx'
import { useMessages } from '../language.tsx'
import { visible } from '../visible.ts'

interface ZoneProps {
  configId: string
  /** Zones with this name at the provider. */
  ids: readonly string[]
  value: string
  onChange: (id: string) => void
}

/** Chooses between several zones of one name, such as a public and a private one. */
export function ZoneField({ configId, ids, value, onChange }: ZoneProps) {
  const m = useMessages('addDomains')
  const words = m.addDomains.zones
  const { data: zones = [] } = useQuery(zonesQuery(configId))
  const noteOf = (id: string) => {
    const { nameServers, status, kind } = zones.find((zone) => zone.id === id) ?? {}
    return [status && words.status[status], kind && words.kind[kind], visible((nameServers ?? []).join(' '))]
      .filter(Boolean)
      .join(' · ')
  }
  return (
    <Select
      label={words.which}
      name="zoneId"
      help={words.several}
      value={value}
      onChange={onChange}
      options={ids.map((id) => ({ id, text: visible(id), note: noteOf(id) }))}
    />
  )
}
