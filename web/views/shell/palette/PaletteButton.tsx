import { Suspense, useEffect, useState } from 'react'
import type { Schemas } from '../../../api/schema.d.ts'
import { Button } from '../../../ui/page/Button.tsx'
import { useMessages } from '../../../ui/language.tsx'
import { lazyPart } from '../../../ui/lazyPart.ts'

const Palette = lazyPart(() => import('./Palette.tsx'), 'Palette', ['palette', 'shell'])

/** Opens the command palette, as does Ctrl+K or Command+K. */
export function PaletteButton({ role }: { role: Schemas['Role'] }) {
  const m = useMessages('palette')
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      if (event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      // Not above another dialog.
      if (document.querySelector('[role=dialog], [role=alertdialog]') === null) setOpen(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <Button look="plain" icon="search" iconOnly onPress={() => setOpen(true)}>
        {m.palette.open}
      </Button>
      {isOpen && (
        <Suspense>
          <Palette role={role} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
