import { useEffect, useState } from 'react'
import { useSettled } from '../../../ui/hooks/useSettled.ts'
import { readLines, type ReadLines } from './zone-plan.ts'

/** Delay before typed lines are sent to the service, in milliseconds. */
const TYPING_MS = 400

interface State extends ReadLines {
  text: string
  error: unknown
}

const NOTHING: State = { text: '', records: [], skipped: [], error: null }

/** Zone file lines as parsed by the service; null: no lines. */
export function useReadLines(domainId: string, text: string | null): State & { isReading: boolean } {
  const settled = useSettled(text, TYPING_MS)
  const [state, setState] = useState(NOTHING)
  useEffect(() => {
    if (settled === null || settled.trim() === '') return
    const controller = new AbortController()
    readLines(domainId, settled, controller.signal).then(
      (read) => setState({ text: settled, ...read, error: null }),
      (error: unknown) => {
        if (!controller.signal.aborted) setState({ ...NOTHING, text: settled, error })
      },
    )
    return () => controller.abort()
  }, [domainId, settled])
  if (text === null || text.trim() === '') return { ...NOTHING, isReading: false }
  const isReading = state.text !== text
  return isReading ? { ...NOTHING, isReading } : { ...state, isReading }
}
