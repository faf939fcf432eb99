import { AppError, forbidden, unavailable } from '../../plugins/http/errors.ts'

const RETRY_SECONDS = 10

export const tooManyOperations = () =>
  new AppError(429, 'rate_limited', 'Too many of your large changes wait to be done; try again later', {
    headers: { 'retry-after': String(RETRY_SECONDS) },
  })

export const noRoomForOperations = () =>
  unavailable('Too many large changes wait to be done; try again later', { seconds: RETRY_SECONDS })

/** The service stops, or another instance has the operation by now: nothing was begun here. */
export class OperationLeft extends Error {
  override message = 'Left to another instance'
}

export const ownerDisabled = () => forbidden('The account of who asked for it is disabled')

export const tokenEnded = () => forbidden('The token that asked for it is revoked or expired')

export const interrupted = () =>
  unavailable('The service stopped in the middle of it; what is missing may be asked for again')

export const gaveUp = () => unavailable('It was begun several times, and never came to its end')
