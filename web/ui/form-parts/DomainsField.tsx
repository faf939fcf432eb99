import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { domainsQuery } from '../../api/queries/zones/domains.ts'
import { Button } from '../page/Button.tsx'
import { ComboBox } from '../fields/ComboBox.tsx'
import type { FieldFrame } from '../fields/Field.tsx'
import { useMessages } from '../language.tsx'
import { visible } from '../visible.ts'
import styles from '../fields/TagsField.module.css'

export interface ChosenDomain {
  id: string
  name: string
}

interface DomainsProps extends FieldFrame {
  name?: string
  chosen: readonly ChosenDomain[]
  onChange: (chosen: ChosenDomain[]) => void
}

const PROPOSALS = 20

/** Multiple domains, found by part of the name. */
export function DomainsField({ chosen, onChange, ...rest }: DomainsProps) {
  const m = useMessages()
  const [typed, setTyped] = useState('')
  const { data } = useQuery(
    domainsQuery({ ...(typed.trim() !== '' && { search: typed.trim() }), limit: PROPOSALS }),
  )
  const found = (data?.domains ?? []).filter(({ id }) => !chosen.some((one) => one.id === id))
  return (
    <div className={styles['tags']}>
      <ComboBox
        {...rest}
        takes
        value={typed}
        onChange={setTyped}
        onChoose={(id) => {
          const domain = found.find((one) => one.id === id)
          if (!domain) return
          setTyped('')
          onChange([...chosen, { id, name: domain.unicodeName }])
        }}
        options={found.map(({ id, unicodeName }) => ({ id, text: visible(unicodeName) }))}
      />
      {chosen.length > 0 && (
        <ul className={styles['chips']} aria-label={rest.label}>
          {chosen.map(({ id, name }) => (
            <li key={id} className={styles['chip']}>
              {visible(name)}
              <Button
                look="plain"
                icon="close"
                iconOnly
                onPress={() => onChange(chosen.filter((one) => one.id !== id))}
              >
                {m.common.removeOf(visible(name))}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
