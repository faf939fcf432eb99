import { isCode } from './failures.ts'

/** Null where the provider reports one of these error codes, which are answers rather than failures. */
export async function unlessCode<T>(call: Promise<T>, ...codes: string[]): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (isCode(error, ...codes)) return null
    throw error
  }
}
