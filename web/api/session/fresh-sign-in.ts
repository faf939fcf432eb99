import { ApiProblem, hasCode } from '../problems.ts'
import { Signal } from '../live/signal.ts'

/** A pending password prompt and its outcome. */
export interface PasswordQuestion {
  answer: (password: string) => Promise<void>
  cancel: () => void
}

export const passwordQuestion = new Signal<PasswordQuestion | null>(null)

/** The user closed the password prompt. */
export class NotConfirmed extends Error {
  constructor() {
    super('not confirmed')
    this.name = 'NotConfirmed'
  }
}

const isAboutPassword = (error: unknown): boolean =>
  error instanceof ApiProblem && error.problem.errors?.some(({ path }) => path === '/password') === true

/**
 * Runs a call that needs a recent sign-in; if it is too old, asks for the password and repeats the call. Rejects with
 * NotConfirmed when the prompt is closed, else with the call's error.
 */
export async function withFreshSignIn<T>(call: (password: { password?: string }) => Promise<T>): Promise<T> {
  try {
    return await call({})
  } catch (error) {
    if (!hasCode(error, 'reauthentication_required')) throw error
  }
  return new Promise<T>((resolve, reject) => {
    const close = () => passwordQuestion.set(null)
    passwordQuestion.set({
      // The dialog shows a wrong password and stays open.
      async answer(password) {
        try {
          resolve(await call({ password }))
          close()
        } catch (error) {
          if (isAboutPassword(error)) throw error
          close()
          // oxlint-disable-next-line promise/no-multiple-resolved -- only one of them happens
          reject(error)
        }
      },
      cancel() {
        close()
        reject(new NotConfirmed())
      },
    })
  })
}
