import { useCallback, useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { StickyBar } from '../../ui/page/StickyBar.tsx'
import { visible } from '../../ui/visible.ts'
import { BulkSettings } from './BulkSettings.tsx'
import { PacedDialog } from './PacedDialog.tsx'
import styles from './Domains.module.css'

type Item = Schemas['DomainListItem']

const CALLS = {
  check: ({ id }: Item) => api.POST('/api/domains/{id}/check-expiry', { path: { id } }),
  sync: ({ id }: Item) => api.POST('/api/domains/{id}/sync', { path: { id } }),
  remove: ({ id }: Item) => api.DELETE('/api/domains/{id}', { path: { id } }),
}
type Deed = keyof typeof CALLS

/** Maximum number of names listed before a bulk action. */
const SHOWN = 10

/** Actions for the selected domains. */
export function ChosenBar({ domains, onClear }: { domains: readonly Item[]; onClear: () => void }) {
  const m = useMessages('domains')
  const { day, number } = useFormats()
  const words = m.domains
  const [open, setOpen] = useState<Deed | 'set' | 'ask' | null>(null)
  const count = domains.length
  const show = useCallback(
    (deed: Deed, result: unknown) => {
      if (deed === 'check') {
        const { expiresAt } = result as Schemas['ExpiryLookup']
        return expiresAt === null ? words.run.notFound : words.run.found(day(expiresAt))
      }
      if (deed === 'remove') return words.run.done
      const { created, updated, deleted } = result as Record<'created' | 'updated' | 'deleted', number>
      return words.run.synced(number(created), number(updated), number(deleted))
    },
    [words, day, number],
  )
  function finish(deed: Deed) {
    setOpen(null)
    changed('domain')
    if (deed === 'remove') onClear()
  }
  return (
    <StickyBar label={words.chosenLabel}>
      <strong role="status">{words.chosen(count)}</strong>
      <Button icon="settings" onPress={() => setOpen('set')}>
        {words.set}
      </Button>
      <Button icon="clock" onPress={() => setOpen('check')}>
        {words.check}
      </Button>
      <Button icon="sync" onPress={() => setOpen('sync')}>
        {words.sync}
      </Button>
      <Button icon="trash" look="danger" onPress={() => setOpen('ask')}>
        {words.remove}
      </Button>
      <Button look="plain" icon="close" iconOnly onPress={onClear}>
        {words.clearChoice}
      </Button>
      {open === 'set' && <BulkSettings domains={domains} onClose={() => setOpen(null)} />}
      {open === 'ask' && (
        <Confirm
          title={words.removal.title(count)}
          action={words.removal.action(count)}
          typed={count === 1 ? (domains[0]?.name ?? '') : String(count)}
          onConfirm={() => Promise.resolve()}
          onClose={(isDone) => setOpen(isDone ? 'remove' : null)}
        >
          <p>{words.removal.text}</p>
          <p>{words.removal.local}</p>
          <ul className={styles['names']}>
            {domains.slice(0, SHOWN).map(({ id, unicodeName }) => (
              <li key={id}>{visible(unicodeName)}</li>
            ))}
            {count > SHOWN && <li>{words.removal.more(count - SHOWN)}</li>}
          </ul>
        </Confirm>
      )}
      {(open === 'check' || open === 'sync' || open === 'remove') && (
        <PacedDialog
          title={words.run[open]}
          items={domains}
          work={CALLS[open]}
          show={(result) => show(open, result)}
          onClose={() => finish(open)}
        />
      )}
    </StickyBar>
  )
}
