/** When a plan is applied, and whether it has to be confirmed. */
export interface Later {
  /** UTC; missing: now. */
  applyAt?: string
  /** Minutes; missing: it needs no confirmation. */
  confirmWithin?: number
}

/** What the user chose; a time that is not entered yet is empty. */
export interface ChosenLater {
  isTimed: boolean
  applyAt: string | null
  confirmWithin: number | null
}

export const NOW: ChosenLater = { isTimed: false, applyAt: null, confirmWithin: null }

/** As it is sent; null while the time is missing. */
export function laterOf({ isTimed, applyAt, confirmWithin }: ChosenLater): Later | null {
  if (isTimed && applyAt === null) return null
  return {
    ...(isTimed && applyAt !== null && { applyAt }),
    ...(confirmWithin !== null && { confirmWithin }),
  }
}

/** The answer of an apply that waits for its time; null if it was applied. */
export const scheduledFor = (deed: object): string | null =>
  'scheduled' in deed && deed.scheduled === true && 'applyAt' in deed ? String(deed.applyAt) : null
