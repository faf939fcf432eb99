import { Type, type Static, type TObject, type TProperties } from '@sinclair/typebox'
import { capabilitiesOf, type Abilities } from '../capabilities.ts'
import { addressOf, ApiUrl } from '../client/fields.ts'
import type { AdapterContext, DnsAdapter, Provider } from '../contract.ts'

/** Parameters that open an adapter. */
export interface Account<C = unknown> {
  credentials: C
  context: AdapterContext
  /** The provider as messages name it. */
  provider: string
  /** Base URL of the API, without a final slash. */
  url: string
  /** The user entered the URL, so it may be the reason for a failure. */
  isOwnAddress: boolean
}

interface Definition<P extends TProperties> extends Omit<
  Provider,
  'credentialSchema' | 'capabilities' | 'serverOf' | 'open'
> {
  /** Name in messages; by default `name`. */
  shortName?: string
  /**
   * Base URL of the API; adds the optional credential `apiUrl`, which overrides it. Omitted: there is no
   * common URL.
   */
  apiUrl?: string
  /** Fields of the form in which users enter credentials. */
  credentials: P
  /** Only what differs from the minimal capabilities. */
  can: Abilities
  /** See `Provider`. */
  serverOf?(credentials: CredentialsOf<P>): string
  /** Imports the adapter when it is first needed. */
  load: () => Promise<{ open: (account: Account<CredentialsOf<P>>) => DnsAdapter }>
}

/** Credentials as an adapter gets them, with defaults filled in. */
export type CredentialsOf<P extends TProperties> = Static<TObject<P>>

/** Defines a provider by what is special about it. */
export function defineProvider<P extends TProperties>({
  shortName,
  apiUrl,
  credentials: fields,
  can,
  load,
  ...rest
}: Definition<P>): Provider {
  const properties: TProperties = apiUrl === undefined ? fields : { ...fields, apiUrl: ApiUrl(apiUrl) }
  return {
    ...rest,
    credentialSchema: Type.Object(properties),
    capabilities: capabilitiesOf(can),
    async open(given: { apiUrl?: string }, context) {
      const { open } = await load()
      const address = addressOf(apiUrl ?? '', given.apiUrl)
      const credentials = given as CredentialsOf<P>
      return open({ credentials, context, provider: shortName ?? rest.name, ...address })
    },
  }
}
