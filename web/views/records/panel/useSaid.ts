import { useState } from 'react'

/**
 * What is wrong with a field is said as its form is sent, and until it is typed into: said as the field is left, it would
 * move the button away from under the pointer that presses it. `tried`: how often it was sent.
 */
export function useSaid(tried: number) {
  const [typed, setTyped] = useState<Readonly<Record<string, number>>>({})
  return {
    isSaid: (field: string | number): boolean => tried > (typed[field] ?? 0),
    onType: (field: string | number): void => setTyped((before) => ({ ...before, [field]: tried })),
  }
}
