import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { domainQuery, domainsQuery } from '../../api/queries/zones/domains.ts'
import { ComboBox } from '../../ui/fields/ComboBox.tsx'
import { useMessages } from '../../ui/language.tsx'
import { visible } from '../../ui/visible.ts'

const PROPOSALS = 20

interface FilterProps {
  domainId: string | undefined
  onChange: (domainId: string | undefined) => void
}

/** One domain, found by part of its name; empty: all. */
export function DomainFilter({ domainId, onChange }: FilterProps) {
  const m = useMessages('health')
  /** Null: the name of the chosen domain. */
  const [typed, setTyped] = useState<string | null>(null)
  const { data: chosen } = useQuery({ ...domainQuery(domainId ?? ''), enabled: domainId !== undefined })
  // Cleared from outside.
  useEffect(() => {
    if (domainId === undefined) setTyped(null)
  }, [domainId])
  const search = useDeferredValue(typed?.trim() ?? '')
  const { data: found } = useQuery(domainsQuery({ search: search || undefined, limit: PROPOSALS }))
  const options = (found?.domains ?? []).map(({ id, unicodeName }) => ({ id, text: visible(unicodeName) }))
  const name = domainId === undefined ? '' : visible(chosen?.unicodeName ?? '')
  return (
    <ComboBox
      isFilter
      label={m.health.domain}
      value={typed ?? name}
      onChange={(text) => {
        setTyped(text === name ? null : text)
        if (text === '' && domainId !== undefined) onChange(undefined)
      }}
      onChoose={(id) => {
        // Another text would open the list again.
        setTyped(options.find((one) => one.id === id)?.text ?? null)
        onChange(id)
      }}
      options={options}
    />
  )
}
