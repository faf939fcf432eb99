import { useCallback } from 'react'
import { late } from '../../api/late.ts'
import type { Problem } from '../../api/problems.ts'
import { sayReason, type Reason } from '../../messages/reasons.ts'
import { useLateWords } from '../late.ts'
import { useLanguage, useMessages } from '../language.tsx'
import { visible } from '../visible.ts'

const WORDS = { zh: late(async () => (await import('../../messages/zh/service/reasons.ts')).reasons) }

/** A reason with the service's English message. */
export interface ToldReason extends Reason {
  text: string
}

/** A reason as displayed. */
export interface SaidReason {
  text: string
  /** The English message, if it differs. */
  original: string | null
  /** Not available in the user's language. */
  isForeign: boolean
}

export type Say = (reason: ToldReason) => SaidReason

/** Translates reasons. Messages load only while `isNeeded`. */
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

/** All field errors and conflicts of a problem. */
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

/** Reasons of a conflict in a plan. */
export const reasonsOf = ({
  code,
  params,
  detail,
  errors = [],
}: Pick<NonNullable<Problem['conflicts']>[number], 'code' | 'params' | 'detail' | 'errors'>): ToldReason[] =>
  errors.length > 0 ? reasonsIn({ errors }) : [{ code, params, text: detail }]

/** Shown away from its field, so with the field's name. */
function wrongField({ path, code, params, message }: NonNullable<Problem['errors']>[number]): ToldReason {
  const at = path.slice(1).replaceAll('/', '.')
  return at === ''
    ? { code, params, text: message }
    : { code, params: { ...params, at }, text: `${at} ${message}` }
}

export const warned = ({
  code,
  params,
  message,
}: {
  code: string
  params?: ToldReason['params']
  message: string
}): ToldReason => ({ code, params, text: message })

/** A problem as one text, where space is short. */
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
