import { Suspense, useEffect, useState } from 'react'
import { settings } from '../../../api/settings.ts'
import { lazyPart } from '../../../ui/lazyPart.ts'

const ShortcutsDialog = lazyPart(() => import('./ShortcutsDialog.tsx'), 'ShortcutsDialog', ['shell'])

/** Opens the list of shortcuts with `?`. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false)
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
  return (
    <Suspense>
      <ShortcutsDialog onClose={() => setOpen(false)} />
    </Suspense>
  )
}
