import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    secrets: Secrets
  }
}

/** Encryption at rest, token digests, and signing keys; all derived from SECRET_KEY. */
export interface Secrets {
  /**
   * AES-256-GCM. `context` binds the result to its place (table, column, row); it can't be decrypted
   * elsewhere.
   */
  seal(plaintext: string, context: string): Buffer
  /** Decrypts with any of the keys; throws if it was altered or belongs elsewhere. */
  open(sealed: Buffer, context: string): string
  /** Key id of an encrypted value, in hex; differs from `currentKeyId` until it is re-encrypted. */
  keyIdOf(sealed: Buffer): string
  readonly currentKeyId: string
  /** SHA-256 of a token with enough entropy. */
  digest(token: string): Buffer
  /** A value only this service can compute from `input`, base64url, 256 bits. */
  derive(purpose: string, input: string): string
  /** Signing keys, the current one first. */
  readonly signingKeys: readonly { id: string; key: Buffer }[]
}

const FORMAT = 1
const ID_LENGTH = 4
const IV_LENGTH = 12
const TAG_LENGTH = 16
const HEADER_LENGTH = 1 + ID_LENGTH + IV_LENGTH + TAG_LENGTH

export default fp<{ keys: readonly Buffer[] }>(
  async (app, { keys }) => {
    app.decorate('secrets', createSecrets(keys))
  },
  { name: 'secrets' },
)

/** `keys`: 32 bytes each; the first encrypts and signs, all decrypt and verify. */
export function createSecrets(keys: readonly Buffer[]): Secrets {
  const ring = keys.map((key) => ({
    id: createHash('sha256').update(key).digest().subarray(0, ID_LENGTH),
    sealing: subkey(key, 'seal'),
    signing: subkey(key, 'sign'),
    deriving: subkey(key, 'derive'),
  }))
  const current = ring[0]
  if (!current) throw new Error('No secret key')
  return {
    currentKeyId: current.id.toString('hex'),
    signingKeys: ring.map(({ id, signing }) => ({ id: id.toString('hex'), key: signing })),
    seal(plaintext, context) {
      const iv = randomBytes(IV_LENGTH)
      const cipher = createCipheriv('aes-256-gcm', current.sealing, iv).setAAD(Buffer.from(context))
      const text = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.from([FORMAT]), current.id, iv, cipher.getAuthTag(), text])
    },
    open(sealed, context) {
      const id = sealed.subarray(1, 1 + ID_LENGTH)
      const entry = ring.find((candidate) => candidate.id.equals(id))
      if (sealed[0] !== FORMAT || sealed.length < HEADER_LENGTH || !entry) {
        throw new Error('This secret was sealed with a key that SECRET_KEY does not hold')
      }
      const iv = sealed.subarray(1 + ID_LENGTH, 1 + ID_LENGTH + IV_LENGTH)
      const decipher = createDecipheriv('aes-256-gcm', entry.sealing, iv)
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(HEADER_LENGTH - TAG_LENGTH, HEADER_LENGTH))
      return decipher.update(sealed.subarray(HEADER_LENGTH), undefined, 'utf8') + decipher.final('utf8')
    },
    keyIdOf: (sealed) => sealed.subarray(1, 1 + ID_LENGTH).toString('hex'),
    digest: (token) => createHash('sha256').update(token).digest(),
    derive: (purpose, input) =>
      createHmac('sha256', current.deriving).update(`${purpose}\0${input}`).digest('base64url'),
  }
}

const subkey = (key: Buffer, purpose: string) =>
  Buffer.from(hkdfSync('sha256', key, '', `zonekeeper/${purpose}`, 32))
