import { Operations } from './generated/operations.ts'

/** A client of the Open API: `new Zonekeeper({ url, token })`, with a method for each operation. */
export class Zonekeeper extends Operations {}

export type * from './generated/data-contracts.ts'
export type { ClientOptions, RequestOptions } from './http.ts'
export { every, type Place } from './paging.ts'
export { ZonekeeperError } from './problem.ts'
