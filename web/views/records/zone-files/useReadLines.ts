import { useEffect, useState } from 'react'
import { useSettled } from '../../../ui/useSettled.ts'
import { readLines, type ReadLines } from './zone-plan.ts'

/** Time without a key after which typed lines are sent to the service. */
const TYPING_MS = 400

interface State extends ReadLines {
  text: string
  error: unknown
}

const NOTHING: State = { text: '', records: [], skipped: [], error: null }

/** Lines of a zone file as the service reads them, once they are typed; null: there are none to read. */
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
