import { useEffect, useState, useSyncExternalStore } from 'react'
import { changeSettings, settings } from '../../api/settings.ts'
import { Switch } from '../../ui/Choice.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Facts } from '../../ui/Page.tsx'

/** The keys that there are, by `?`; those of one character can be switched off (WCAG 2.1.4). */
export function Shortcuts() {
  const m = useMessages('shell')
  const words = m.shell.keys
  const [isOpen, setOpen] = useState(false)
  const { shortcuts } = useSyncExternalStore(settings.subscribe, settings.get)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = (event.target as HTMLElement).closest('input, textarea, [role=dialog]') !== null
      if (event.key !== '?' || isTyping || !settings.get().shortcuts) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  if (!isOpen) return null
  const key = (text: string) => <kbd>{text}</kbd>
  return (
    <Dialog title={words.title} onClose={() => setOpen(false)}>
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
        ]}
      />
      <Switch isSelected={shortcuts} onChange={(on) => changeSettings({ shortcuts: on })}>
        {words.single}
      </Switch>
    </Dialog>
  )
}
