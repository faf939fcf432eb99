import { zonesAsked } from '../../api/problems.ts'

/** Error handler: reports several zones of the name, then rethrows. */
export const askWhich =
  (onSeveral: (zoneIds: string[]) => void) =>
  (error: unknown): never => {
    const ids = zonesAsked(error)
    if (ids) onSeveral(ids)
    throw error
  }
