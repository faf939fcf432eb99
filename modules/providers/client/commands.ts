import type { Static, TSchema } from '@sinclair/typebox'
import type { AdapterContext } from '../context.ts'
import type { ApiClient } from './client.ts'
import type { Call } from './requests.ts'

/** The call of a command. By default it is a POST to `/`. */
type ToCall = (command: string, parameters: object, of: 'read' | 'write') => Call & { path?: string }

/** An API of named commands, of which each has parameters and a result. */
export class CommandApi {
  readonly context: AdapterContext
  readonly client: ApiClient
  readonly #toCall: ToCall

  constructor(client: ApiClient, toCall: ToCall) {
    this.client = client
    this.context = client.context
    this.#toCall = toCall
  }

  /** A command that changes nothing. Returns the body of the answer. */
  async read<S extends TSchema>(command: string, schema: S, parameters: object = {}): Promise<Static<S>> {
    const { path = '/', ...call } = this.#toCall(command, parameters, 'read')
    return (await this.client.read(path, { method: 'POST', large: true, ...call, schema })).body
  }

  /** A command that changes something. */
  async write<S extends TSchema>(command: string, schema: S, parameters: object = {}): Promise<Static<S>> {
    const { path = '/', ...call } = this.#toCall(command, parameters, 'write')
    return (await this.client.write(path, { ...call, schema })).body
  }
}
