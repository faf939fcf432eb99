import { useEffect } from 'react'
import { settings } from '../../../api/settings.ts'

interface Shortcuts {
  onReview: () => void
  onUndo: () => void
  onRedo: () => void
  onNew: () => void
  /** Called with text pasted outside of fields. */
  onPaste: (text: string) => void
}

/** Shortcuts of the view; none acts in a field. */
export function useShortcuts({ onReview, onUndo, onRedo, onNew, onPaste }: Shortcuts) {
  useEffect(() => {
    const isIn = ({ target }: Event) =>
      (target as HTMLElement).closest('input, textarea, [contenteditable], [role=dialog]') !== null
    const onClipboard = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text') ?? ''
      if (!isIn(event) && text.trim() !== '') onPaste(text)
    }
    const onKey = (event: KeyboardEvent) => {
      const isTyping = isIn(event)
      const isCommand = event.ctrlKey || event.metaKey
      if (isCommand && event.key === 'Enter') onReview()
      else if (isTyping) return
      else if (isCommand && event.key.toLowerCase() === 'z') (event.shiftKey ? onRedo : onUndo)()
      else if (isCommand || event.altKey || !settings.get().shortcuts) return
      else if (event.key === 'n') onNew()
      else if (event.key === '/') focusFilter()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    addEventListener('paste', onClipboard)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener('paste', onClipboard)
    }
  }, [onReview, onUndo, onRedo, onNew, onPaste])
}

/** Focuses the filter. */
export const focusFilter = () => document.getElementById('filter')?.focus()
