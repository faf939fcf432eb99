import { useEffect } from 'react'
import { settings } from '../../api/settings.ts'

interface Shortcuts {
  onReview: () => void
  onUndo: () => void
  onRedo: () => void
  onNew: () => void
}

/** Keys of the whole view; none acts in a field. */
export function useShortcuts({ onReview, onUndo, onRedo, onNew }: Shortcuts) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      const isTyping = target.closest('input, textarea, [contenteditable], [role=dialog]') !== null
      const isCommand = event.ctrlKey || event.metaKey
      if (isCommand && event.key === 'Enter') onReview()
      else if (isTyping) return
      else if (isCommand && event.key.toLowerCase() === 'z') (event.shiftKey ? onRedo : onUndo)()
      else if (isCommand || event.altKey || !settings.get().shortcuts) return
      else if (event.key === 'n') onNew()
      else if (event.key === '/') document.getElementById('filter')?.querySelector('input')?.focus()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [onReview, onUndo, onRedo, onNew])
}
