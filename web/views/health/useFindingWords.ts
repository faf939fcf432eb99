import type { Schemas } from '../../api/schema.d.ts'
import { sayReason } from '../../messages/reasons.ts'
import { useReasons, type SaidReason } from '../../ui/feedback/reasons.ts'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { visible } from '../../ui/visible.ts'

type Finding = Pick<Schemas['HealthFinding'], 'code' | 'params' | 'detail' | 'explanation'>

/** Findings in the user's language. */
export function useFindingWords() {
  const m = useMessages('health')
  const words = m.health
  const { day } = useFormats()
  const say = useReasons()
  /** The name of a code; later versions of the service may have others. */
  const codeOf = (code: string): string => words.codes[code as Schemas['HealthCode']] ?? code
  const explanationOf = ({ code, explanation }: Finding) => words.explanations[code] ?? visible(explanation)

  function detailOf({ code, params, detail }: Finding): SaidReason {
    const readable = Object.entries(params).map(([name, value]) => [
      name,
      name === 'expiresAt' ? day(String(value)) : Array.isArray(value) && value.length === 0 ? '—' : value,
    ])
    const said = sayReason(words.details, { code, params: Object.fromEntries(readable) })
    if (said !== null) return { text: visible(said), original: null, isForeign: false }
    return say({ code, params, text: detail })
  }
  return { codeOf, explanationOf, detailOf }
}
