/** Why a request is not done: the RCODE for the client, and the reason for the log. */
export class Refused extends Error {
  override name = 'Refused'
  readonly rcode: number

  constructor(rcode: number, reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.rcode = rcode
  }
}
