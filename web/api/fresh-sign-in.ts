import { ApiProblem, hasCode } from './problems.ts'
import { Signal } from './signal.ts'

/** A question for the password that a view is asked to put, and what comes of it. */
export interface PasswordQuestion {
  answer: (password: string) => Promise<void>
  cancel: () => void
}

export const passwordQuestion = new Signal<PasswordQuestion | null>(null)

/** Somebody was asked for the password and did not give it. */
export class NotConfirmed extends Error {
  constructor() {
    super('not confirmed')
    this.name = 'NotConfirmed'
  }
}

const isAboutPassword = (error: unknown): boolean =>
  error instanceof ApiProblem && error.problem.errors?.some(({ path }) => path === '/password') === true

/**
 * Calls what needs a sign-in of the last minutes; where that is too long ago the password is asked for, and the call
 * repeated with it. Rejects with NotConfirmed when it is not given, and with what the call rejects with.
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
      // A wrong password stays the dialog's matter: it rejects, and may be given again.
      async answer(password) {
        try {
          resolve(await call({ password }))
          close()
        } catch (error) {
          if (isAboutPassword(error)) throw error
          close()
          // oxlint-disable-next-line promise/no-multiple-resolved -- one of both, as only the call rejects
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
