import { zonesAsked } from '../../api/problems.ts'

/** What is done about a failed call: where a provider has several zones of the name, that is told. Throws it on. */
export const askWhich =
  (onSeveral: (zoneIds: string[]) => void) =>
  (error: unknown): never => {
    const ids = zonesAsked(error)
    if (ids) onSeveral(ids)
    throw error
  }
