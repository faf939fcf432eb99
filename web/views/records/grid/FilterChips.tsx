import { useMemo } from 'react'
import { recognised, without, withWord } from '../../../zone/filter.ts'
import { Button } from '../../../ui/page/Button.tsx'
import { Icon } from '../../../ui/page/Icon.tsx'
import { useMessages } from '../../../ui/language.tsx'
import type { MenuAction } from '../../../ui/page/Menu.tsx'
import { visible } from '../../../ui/visible.ts'
import { focusFilter } from '../grid/useShortcuts.ts'
import type { DnsRecord } from '../model.ts'
import styles from '../Records.module.css'

/** Filters offered in the menu: states, short TTLs, and types in the zone. */
export function useFilterMenu(
  records: readonly DnsRecord[],
  filter: string,
  onFilter: (filter: string) => void,
): MenuAction[] {
  const { records: words } = useMessages('records')
  const types = useMemo(
    () => [...new Set(records.map(({ recordType }) => recordType))].sort((a, b) => a.localeCompare(b)),
    [records],
  )
  const named: [word: string, meaning: string][] = [
    ['is:changed', words.states.changed],
    ['is:failed', words.states.failed],
    ['ttl:<300', words.shortTtl],
    ...types.map((type): [string, string] => [`type:${type}`, words.ofType(type)]),
  ]
  const there = recognised(filter).map((word) => word.toUpperCase())
  const isThere = (word: string) =>
    word.startsWith('type:')
      ? there.some((one) => one.startsWith('TYPE:') && one.slice(5).split(',').includes(word.slice(5)))
      : there.includes(word.toUpperCase())
  return named
    .filter(([word]) => !isThere(word))
    .map(([word, meaning]) => ({
      id: word,
      text: words.filterWord(meaning, word),
      onAction: () => onFilter(withWord(filter, word)),
    }))
}

/** Filter words with a meaning, as chips with a remove button. */
export function FilterChips({ filter, onFilter }: { filter: string; onFilter: (filter: string) => void }) {
  const m = useMessages('records')
  const words = recognised(filter)
  if (words.length === 0) return null
  return (
    <ul className={styles['chips']} aria-label={m.records.filterWords}>
      {words.map((word) => (
        <li key={word}>
          <Button
            aria-label={m.common.removeOf(visible(word))}
            onPress={() => {
              onFilter(without(filter, word))
              // The focused chip disappears.
              focusFilter()
            }}
          >
            <span className={styles['word']}>{visible(word)}</span>
            <Icon name="close" size={14} />
          </Button>
        </li>
      ))}
    </ul>
  )
}
