import { Type, type Static, type TObject } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import type { ProviderErrorKind } from '../../contract.ts'
import { ApiClient, type Answer, type Call, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'

/** A host as Namecheap has it. */
export const RawHost = Type.Object({
  /** Relative to the domain; `@` for the apex. */
  '@Name': Type.String(),
  '@Type': Type.String(),
  '@Address': Type.String(),
  /** Also of others than MX. */
  '@MXPref': Type.String(),
  '@TTL': Type.String(),
  '@IsActive': Type.Optional(Type.String()),
})

export type RawHost = Static<typeof RawHost>

const Hosts = Type.Optional(Type.Array(RawHost))

/** Answers have `host`, the documentation `Host`. */
export const HostsRead = Type.Object({
  DomainDNSGetHostsResult: Type.Object({ '@EmailType': Type.String(), host: Hosts, Host: Hosts }),
})

export const HostsWritten = Type.Object({
  DomainDNSSetHostsResult: Type.Object({ '@IsSuccess': Type.String() }),
})

/** Without domains there is no list. */
export const DomainsRead = Type.Object({
  DomainGetListResult: Type.Union([
    Type.Object({
      Domain: Type.Array(Type.Object({ '@Name': Type.String(), '@IsOurDNS': Type.Optional(Type.String()) })),
    }),
    Type.String(),
  ]),
  Paging: Type.Object({ TotalItems: Type.String({ pattern: '^[0-9]+$' }) }),
})

export const DomainRead = Type.Object({
  DomainGetInfoResult: Type.Object({
    '@DomainName': Type.String(),
    DnsDetails: Type.Object({
      '@IsUsingOurDNS': Type.String(),
      Nameserver: Type.Optional(Type.Array(Type.String())),
    }),
  }),
})

/** The API of Namecheap (https://www.namecheap.com/support/api/methods/): commands by POST, answered in XML. */
export class NamecheapApi {
  readonly client: ApiClient
  readonly #common: Record<string, string>

  constructor({ apiUser, apiKey, userName, clientIp, apiUrl }: Credentials, context: AdapterContext) {
    this.#common = { ApiUser: apiUser, ApiKey: apiKey, UserName: userName || apiUser, ClientIp: clientIp }
    this.client = new ApiClient(
      {
        provider: 'Namecheap',
        ...addressOf(OWN_URL, apiUrl),
        secrets: [apiKey],
        xmlLists: ['Error', 'host', 'Host', 'Domain', 'Nameserver'],
        explain,
      },
      context,
    )
  }

  async read<S extends TObject>(
    command: string,
    form: NonNullable<Call['form']>,
    response: S,
  ): Promise<Static<S>> {
    const { body } = await this.client.read('', { method: 'POST', ...this.#call(command, form, response) })
    return responseOf<S>(body)
  }

  async write<S extends TObject>(
    command: string,
    form: NonNullable<Call['form']>,
    response: S,
  ): Promise<Static<S>> {
    const { body } = await this.client.write('', this.#call(command, form, response))
    return responseOf<S>(body)
  }

  #call(command: string, form: NonNullable<Call['form']>, response: TObject) {
    return {
      form: { ...this.#common, Command: `namecheap.domains.${command}`, ...form },
      as: 'xml' as const,
      schema: Type.Object({ ApiResponse: Type.Object({ CommandResponse: response }) }),
      large: true,
    }
  }
}

/** What has been checked by the schema of the call. */
const responseOf = <S extends TObject>(body: unknown): Static<S> =>
  (body as { ApiResponse: { CommandResponse: Static<S> } }).ApiResponse.CommandResponse

/** By their numbers; with a message where Namecheap's own doesn't say what is to be done. */
const KINDS: Record<string, ProviderErrorKind> = {
  500000: 'rate_limited',
  1010101: 'auth',
  1010102: 'auth',
  1011101: 'auth',
  1011102: 'auth',
  1016103: 'forbidden',
  1017101: 'auth',
  1017103: 'auth',
  1017105: 'forbidden',
  1017150: 'forbidden',
  1011150: 'forbidden',
  2019166: 'not_found',
  2030166: 'not_found',
}

/** Of an address that is not whitelisted. */
const ADDRESS = new Set(['1011150', '1017150', '1017105'])

/** What Namecheap means: it fails with status 200, and throttles with 405. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status === 405) return { kind: 'rate_limited' }
  const response = isObject(body) ? body['ApiResponse'] : undefined
  if (!isObject(response) || response['@Status'] !== 'ERROR') return undefined
  const { code, reason } = errorOf(response['Errors'])
  if (ADDRESS.has(code))
    return {
      kind: 'forbidden',
      code,
      message: `Namecheap takes no calls from this address (${reason}): clientIp must be it, and whitelisted there`,
    }
  // From 3000000 on it is Namecheap, or who is behind it, that fails.
  const kind = KINDS[code] ?? (Number(code) >= 3_000_000 ? 'unavailable' : 'rejected')
  return { kind, code, reason }
}

function errorOf(errors: unknown): { code: string; reason: string } {
  const all = isObject(errors) && Array.isArray(errors['Error']) ? errors['Error'].filter(isObject) : []
  const texts = all.map(({ '#text': text }) => text).filter((text) => typeof text === 'string')
  const [code] = all.map(({ '@Number': number }) => number)
  return { code: typeof code === 'string' ? code : '', reason: texts.join('; ') }
}
