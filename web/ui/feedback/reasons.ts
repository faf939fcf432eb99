import { useCallback } from 'react'
import { late } from '../../api/late.ts'
import type { Problem } from '../../api/problems.ts'
import { sayReason, type Reason } from '../../messages/reasons.ts'
import { useLateWords } from '../late.ts'
import { useLanguage, useMessages } from '../language.tsx'
import { visible } from '../visible.ts'

const WORDS = { zh: late(async () => (await import('../../messages/zh/service/reasons.ts')).reasons) }

/** A reason with what the service itself says of it, in English. */
export interface ToldReason extends Reason {
  text: string
}

/** What to show of a reason: in the user's language where there are words for it. */
export interface SaidReason {
  text: string
  /** What the service said, where that is something else. */
  original: string | null
  /** It is in English, which the user has not chosen. */
  isForeign: boolean
}

export type Say = (reason: ToldReason) => SaidReason

/** Says reasons of the service. `isNeeded`: there are any; the words are loaded for them alone. */
export function useReasons(isNeeded = true): Say {
  const language = useLanguage()
  const words = useLateWords(WORDS, isNeeded && language !== 'en')
  return useCallback(
    (reason) => {
      const text = visible(reason.text)
      const said = words && sayReason(words, reason)
      if (said === null) return { text, original: null, isForeign: language !== 'en' }
      return { text: visible(said), original: text, isForeign: false }
    },
    [words, language],
  )
}

/** What is wrong with fields, conflicts: all that a problem tells one by one. */
export function reasonsIn({
  errors = [],
  conflicts = [],
  reason,
  params,
  detail = '',
}: Partial<Pick<Problem, 'errors' | 'conflicts' | 'reason' | 'params' | 'detail'>>): ToldReason[] {
  const each = [...errors.map(wrongField), ...conflicts.flatMap(reasonsOf)]
  return each.length === 0 && reason !== undefined ? [{ code: reason, params, text: detail }] : each
}

/** Why a part of a plan can't be done. */
export const reasonsOf = ({
  code,
  params,
  detail,
  errors = [],
}: Pick<NonNullable<Problem['conflicts']>[number], 'code' | 'params' | 'detail' | 'errors'>): ToldReason[] =>
  errors.length > 0 ? reasonsIn({ errors }) : [{ code, params, text: detail }]

/** Told away from its field, so with its name. */
function wrongField({ path, code, params, message }: NonNullable<Problem['errors']>[number]): ToldReason {
  const at = path.slice(1).replaceAll('/', '.')
  return at === ''
    ? { code, params, text: message }
    : { code, params: { ...params, at }, text: `${at} ${message}` }
}

/** What is most likely not meant. */
export const warned = ({
  code,
  params,
  message,
}: {
  code: string
  params?: ToldReason['params']
  message: string
}): ToldReason => ({ code, params, text: message })

/** A problem in one text, where there is no room for more. */
export function useProblemText(problem: Problem | null): string | null {
  const language = useLanguage()
  const m = useMessages()
  const reasons = problem ? reasonsIn(problem) : []
  const say = useReasons(reasons.length > 0)
  if (problem === null) return null
  if (language === 'en') return visible(problem.detail)
  return reasons.length > 0
    ? reasons.map((reason) => say(reason).text).join(m.common.gap)
    : m.problems.byCode[problem.code]
}
