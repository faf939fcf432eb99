import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** What a passkey of ours knows: its key never leaves it. */
interface Held {
  id: Buffer
  rpId: string
  userHandle: string
  privateKey: ReturnType<typeof generateKeyPairSync>['privateKey']
  counter: number
}

/** How an answer is to differ from what an honest browser and authenticator would say. */
export interface Twist {
  origin?: string
  /** Hashed into the answer instead of the id that was asked for. */
  rpId?: string
  challenge?: string
  type?: string
  crossOrigin?: boolean
  /** Instead of the next one. */
  counter?: number
  /** Whether the user was verified by PIN or biometrics; true unless said. */
  userVerified?: boolean
  userPresent?: boolean
  userHandle?: string | null
  attestation?: { format: string; statement: Map<string, unknown> }
  credentialId?: Buffer
}

interface CreationOptions {
  challenge: string
  rp: { id?: string }
  user: { id: string }
}

interface RequestOptions {
  challenge: string
  rpId?: string
  allowCredentials?: { id: string }[]
}

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 }
const ES256 = -7

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64url = (data: Buffer) => data.toString('base64url')

/** An authenticator in software, with the browser before it; holds any number of passkeys (ES256). */
export class Authenticator {
  readonly #origin: string
  readonly #held: Held[] = []

  constructor(origin: string) {
    this.#origin = origin
  }

  /** As navigator.credentials.create() with toJSON(). */
  create(options: CreationOptions, twist: Twist = {}) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const key = new Map<number, unknown>([
      [1, 2],
      [3, ES256],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
    const id = twist.credentialId ?? randomBytes(32)
    const rpId = options.rp.id ?? ''
    const passkey = { id, rpId, userHandle: options.user.id, privateKey, counter: twist.counter ?? 0 }
    this.#held.push(passkey)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, id, cbor(key)])
    const authData = Buffer.concat([this.#data(passkey, FLAGS.attested, twist), attested])
    const attestation = twist.attestation ?? { format: 'none', statement: new Map() }
    const attestationObject = new Map<string, unknown>([
      ['fmt', attestation.format],
      ['attStmt', attestation.statement],
      ['authData', authData],
    ])
    return {
      ...identified(id),
      response: {
        clientDataJSON: base64url(this.#client('webauthn.create', options.challenge, twist)),
        attestationObject: base64url(cbor(attestationObject)),
        transports: ['internal', 'hybrid'],
      },
    }
  }

  /** As navigator.credentials.get() with toJSON(): the newest passkey that the options allow. */
  get(options: RequestOptions, twist: Twist = {}) {
    const allowed = options.allowCredentials?.map(({ id }) => id)
    const passkey = this.#held.findLast(
      ({ id, rpId }) => rpId === options.rpId && (allowed?.includes(base64url(id)) ?? true),
    )
    if (!passkey) throw new Error('This authenticator holds no such passkey')
    passkey.counter += 1
    const authData = this.#data(passkey, 0, { counter: passkey.counter, ...twist })
    const client = this.#client('webauthn.get', options.challenge, twist)
    const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), passkey.privateKey)
    return {
      ...identified(passkey.id),
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(authData),
        signature: base64url(signature),
        userHandle: twist.userHandle === undefined ? passkey.userHandle : twist.userHandle,
      },
    }
  }

  #client(type: string, challenge: string, twist: Twist): Buffer {
    const data = { type, challenge, origin: this.#origin, crossOrigin: false }
    const { type: otherType = type, challenge: other = challenge, origin = data.origin } = twist
    const crossOrigin = twist.crossOrigin ?? false
    return Buffer.from(JSON.stringify({ type: otherType, challenge: other, origin, crossOrigin }))
  }

  #data({ rpId, counter }: Held, flags: number, twist: Twist): Buffer {
    const present = (twist.userPresent ?? true) ? FLAGS.present : 0
    const verified = (twist.userVerified ?? true) ? FLAGS.verified : 0
    const tail = Buffer.alloc(5)
    tail.writeUInt8(flags | present | verified)
    tail.writeUInt32BE(twist.counter ?? counter, 1)
    return Buffer.concat([sha256(twist.rpId ?? rpId), tail])
  }
}

const identified = (id: Buffer) => ({
  id: base64url(id),
  rawId: base64url(id),
  type: 'public-key' as const,
  authenticatorAttachment: 'platform',
  clientExtensionResults: {},
})

/** CBOR (RFC 8949) of what authenticators say: integers, byte and text strings, lists and maps. */
export function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  if (value instanceof Map) return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)])
  throw new Error(`No CBOR for ${typeof value}`)
}

/** The major type and the number that begin an item, in the shortest form. */
function head(major: number, n: number): Buffer {
  const first = major << 5
  if (n < 24) return Buffer.from([first | n])
  if (n < 0x100) return Buffer.from([first | 24, n])
  return Buffer.from([first | 25, n >> 8, n & 0xff])
}
