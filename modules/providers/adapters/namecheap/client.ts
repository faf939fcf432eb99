import { Type, type Static, type TObject } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import type { ApiClient, Answer, Call, Failure } from '../../client/client.ts'
import { isObject } from '../../client/json.ts'
import { kindsOf } from '../../client/kinds.ts'
import type { Account } from '../../shared/define-provider.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'

/** A host: Namecheap's word for a record. */
export const RawHost = Type.Object({
  /** Relative to the domain; `@` for the apex. */
  '@Name': Type.String(),
  '@Type': Type.String(),
  '@Address': Type.String(),
  /** Also set on other types than MX. */
  '@MXPref': Type.String(),
  '@TTL': Type.String(),
  '@IsActive': Type.Optional(Type.String()),
})

export type RawHost = Static<typeof RawHost>

const Hosts = Type.Optional(Type.Array(RawHost))

/** Answers have `host` where the documentation says `Host`. */
export const HostsRead = Type.Object({
  DomainDNSGetHostsResult: Type.Object({ '@EmailType': Type.String(), host: Hosts, Host: Hosts }),
})

export const HostsWritten = Type.Object({
  DomainDNSSetHostsResult: Type.Object({ '@IsSuccess': Type.String() }),
})

/** An account without domains gets a text instead of a list. */
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

/** Namecheap's API (https://www.namecheap.com/support/api/methods/): commands sent by POST, answers in XML. */
export class NamecheapApi {
  readonly context: AdapterContext
  readonly #client: ApiClient
  readonly #common: Record<string, string>

  constructor(account: Account<Credentials>) {
    const { apiUser, apiKey, userName, clientIp } = account.credentials
    this.context = account.context
    this.#common = { ApiUser: apiUser, ApiKey: apiKey, UserName: userName || apiUser, ClientIp: clientIp }
    const xmlLists = ['Error', 'host', 'Host', 'Domain', 'Nameserver']
    this.#client = clientOf(account, { secrets: [apiKey], xmlLists, explain })
  }

  async read<S extends TObject>(command: string, form: Form, response: S): Promise<Static<S>> {
    const { body } = await this.#client.read('', { method: 'POST', ...this.#call(command, form, response) })
    return responseOf<S>(body)
  }

  async write<S extends TObject>(command: string, form: Form, response: S): Promise<Static<S>> {
    const { body } = await this.#client.write('', this.#call(command, form, response))
    return responseOf<S>(body)
  }

  #call(command: string, form: Form, response: TObject) {
    return {
      form: { ...this.#common, Command: `namecheap.domains.${command}`, ...form },
      as: 'xml' as const,
      schema: Type.Object({ ApiResponse: Type.Object({ CommandResponse: response }) }),
      large: true,
    }
  }
}

type Form = NonNullable<Call['form']>

/** The part of the answer that `response` describes; the client has checked it. */
const responseOf = <S extends TObject>(body: unknown): Static<S> =>
  (body as { ApiResponse: { CommandResponse: Static<S> } }).ApiResponse.CommandResponse

/** By the numbers of Namecheap's errors. */
const kindOf = kindsOf({
  rate_limited: '500000',
  auth: '1010101 1010102 1011101 1011102 1017101 1017103',
  forbidden: '1016103 1017105 1017150 1011150',
  not_found: '2019166 2030166',
})

/** The address of this service is not whitelisted. */
const ADDRESS = new Set(['1011150', '1017150', '1017105'])

/** Namecheap reports failures with status 200, and rate limits with 405. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status === 405) return { kind: 'rate_limited' }
  const response = isObject(body) ? body['ApiResponse'] : undefined
  if (!isObject(response) || response['@Status'] !== 'ERROR') return undefined
  const { code, reason } = errorOf(response['Errors'])
  if (ADDRESS.has(code))
    return {
      kind: 'forbidden',
      code,
      message: `Namecheap refuses calls from this address (${reason}). Set clientIp to it and whitelist it at Namecheap`,
    }
  // Numbers from 3000000 on are failures of Namecheap or of the registry behind it.
  const kind = kindOf(code) ?? (Number(code) >= 3_000_000 ? 'unavailable' : 'rejected')
  return { kind, code, reason }
}

function errorOf(errors: unknown): { code: string; reason: string } {
  const all = isObject(errors) && Array.isArray(errors['Error']) ? errors['Error'].filter(isObject) : []
  const texts = all.map(({ '#text': text }) => text).filter((text) => typeof text === 'string')
  const [code] = all.map(({ '@Number': number }) => number)
  return { code: typeof code === 'string' ? code : '', reason: texts.join('; ') }
}
