import { useSyncExternalStore } from 'react'
import { changeSettings, settings } from '../../../api/settings.ts'
import { Switch } from '../../../ui/fields/Choice.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { useMessages } from '../../../ui/language.tsx'
import { Facts } from '../../../ui/page/Page.tsx'

/** List of shortcuts; single-key ones can be turned off (WCAG 2.1.4). */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const m = useMessages('shell')
  const words = m.shell.keys
  const { shortcuts } = useSyncExternalStore(settings.subscribe, settings.get)
  const key = (text: string) => <kbd>{text}</kbd>
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Facts
        facts={[
          [words.help, key('?')],
          [words.palette, key('Ctrl K')],
          [words.filter, key('/')],
          [words.add, key('n')],
          [words.move, key('↑ ↓ ← → Home End PgUp PgDn')],
          [words.edit, key('Enter F2')],
          [words.choose, key('Space Shift ↑↓ Ctrl A')],
          [words.menu, key('Shift F10')],
          [words.undo, key('Ctrl Z · Ctrl Shift Z')],
          [words.review, key('Ctrl Enter')],
          [words.decide, key('a r c')],
        ]}
      />
      <Switch isSelected={shortcuts} onChange={(on) => changeSettings({ shortcuts: on })}>
        {words.single}
      </Switch>
    </Dialog>
  )
}
