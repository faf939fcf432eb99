import { AppError, unavailable } from '../../plugins/http/errors.ts'

const RETRY_SECONDS = 10

export const tooManyOperations = () =>
  new AppError(429, 'rate_limited', 'You have too many unfinished operations; try again later', {
    headers: { 'retry-after': String(RETRY_SECONDS) },
  })

export const noRoomForOperations = () =>
  unavailable('Too many unfinished operations; try again later', { seconds: RETRY_SECONDS })

/** The service is stopping, or another instance has the operation: nothing was begun here. */
export class OperationLeft extends Error {
  override message = 'Left to another instance'
}

export const interrupted = () =>
  unavailable('The service stopped during the operation; request the missing changes again')

export const givenUp = () => unavailable('The operation was started several times and never finished')
