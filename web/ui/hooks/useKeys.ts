import { useEffect } from 'react'
import { settings } from '../../api/settings.ts'

/** Single-key shortcuts of the page; none acts in a field or a dialog. */
export function useKeys(actions: Readonly<Record<string, () => unknown>>) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      const act = actions[key]
      const isIn = (event.target as HTMLElement).closest('input, textarea, [role=dialog], [role=alertdialog]')
      if (!act || isIn || ctrlKey || metaKey || altKey || !settings.get().shortcuts) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}
