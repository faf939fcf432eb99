/** Why a value isn't accepted, in words for a user. */
export interface ValueError {
  path: 'value' | 'priority' | 'strings'
  message: string
}

/** The value in canonical form; `priority` is the first number of MX and SRV, else null. */
export type ValueCheck =
  { ok: true; value: string; priority: number | null } | { ok: false; errors: ValueError[] }

export const accepted = (value: string, priority: number | null = null): ValueCheck => ({
  ok: true,
  value,
  priority,
})

export const refused = (message: string): ValueCheck => ({ ok: false, errors: [valueError(message)] })

export const valueError = (message: string): ValueError => ({ path: 'value', message })

export const priorityError = (message: string): ValueError => ({ path: 'priority', message })
