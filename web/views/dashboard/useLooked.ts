import { useEffect, useRef, useState, type FocusEvent } from 'react'
import type { Bar } from './weeks.ts'

/** Time for the pointer to move from a bar to its popover, in milliseconds. */
const WAY_MS = 300

/** The active bar: focused or pointed at, as long as it or its popover is. */
export function useLooked() {
  const [looked, setLooked] = useState<Bar | null>(null)
  const anchor = useRef<SVGGElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isLooked = looked !== null

  const close = () => setLooked(null)
  const stay = () => clearTimeout(leaving.current)
  const isIn = (element: EventTarget | null) =>
    element instanceof Node &&
    Boolean(anchor.current?.contains(element) || content.current?.contains(element))
  const look = (bar: Bar | null, at: SVGGElement) => {
    stay()
    anchor.current = at
    setLooked(bar)
  }
  /** The pointer leaves; the focus may remain. */
  const leave = () => {
    stay()
    leaving.current = setTimeout(() => isIn(document.activeElement) || close(), WAY_MS)
  }
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (!isIn(relatedTarget)) close()
  }
  useEffect(() => () => clearTimeout(leaving.current), [])
  useEffect(() => {
    // Escape closes a popover opened by the pointer, wherever the focus is.
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && setLooked(null)
    if (isLooked) document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isLooked])
  return { looked, anchor, content, look, leave, stay, close, onBlur }
}
