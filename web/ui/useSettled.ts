import { useEffect, useState } from 'react'

/** A value once it has not changed for that long, in milliseconds: what is typed, once it is typed. */
export function useSettled<T>(value: T, delay: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay)
    return () => clearTimeout(timer)
  }, [value, delay])
  return settled
}
