import fastifyJwt from '@fastify/jwt'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import { v7 as uuidv7, validate as isUuid } from 'uuid'
import { AppError } from '../http/errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    tokens: Tokens
  }
}

/** What a token is for. An access token opens the API, a temporary one only the second step of sign-in. */
type TokenUse = 'access' | 'temp'

interface Claims {
  use: TokenUse
  userId: string
  /** Of an access token its session, of a temporary one its challenge. */
  sessionId: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}

export interface Tokens {
  sign(use: TokenUse, userId: string, sessionId: string): string
  /** Rejects with 401 `unauthenticated` or `token_expired`. Says nothing about the session: see plugins/security/access. */
  verify(token: string, use: TokenUse): Claims
  /** What a valid token is for; null for any other. */
  useOf(token: string): TokenUse | null
}

/** Lifetimes in seconds. */
export const ACCESS_TOKEN_SECONDS = 15 * 60
export const TEMP_TOKEN_SECONDS = 5 * 60

const ISSUER = 'zonekeeper'
const AUDIENCES = { access: 'zonekeeper', temp: 'zonekeeper:2fa' } as const
const USES = new Map<unknown, TokenUse>([
  [AUDIENCES.access, 'access'],
  [AUDIENCES.temp, 'temp'],
])
/** Of the header (RFC 9068 section 2.1, RFC 8725 section 3.11): a token says twice what it is for. */
const TYPES = { access: 'at+jwt', temp: '2fa+jwt' } as const
const LIFETIMES = { access: ACCESS_TOKEN_SECONDS, temp: TEMP_TOKEN_SECONDS } as const

/** Verified tokens that are remembered; checking a signature costs more than all else in a small request. */
const REMEMBERED = 20_000

/** Characters of HMAC-SHA-256 in base64url. */
const SIGNATURE_LENGTH = 43

const unauthenticated = (detail: string) => new AppError(401, 'unauthenticated', detail)
const notValid = () => unauthenticated('The access token is not valid')
const expired = () => new AppError(401, 'token_expired', 'The token has expired; refresh it')

export default fp(
  async (app) => {
    const keys = app.secrets.signingKeys
    for (const { id, key } of keys) {
      await app.register(fastifyJwt, {
        namespace: id,
        secret: key,
        sign: { algorithm: 'HS256', iss: ISSUER, kid: id },
        verify: {
          algorithms: ['HS256'],
          allowedIss: ISSUER,
          requiredClaims: ['iss', 'aud', 'exp', 'sub', 'sid', 'jti'],
        },
      })
    }
    const jwt = app.jwt as unknown as Record<string, typeof app.jwt>
    const current = jwt[app.secrets.signingKeys[0]?.id ?? ''] as typeof app.jwt
    const verified = new LRUCache<string, { token: string; claims: Claims }>({ max: REMEMBERED })

    function claimsOf(token: string): Claims {
      // Found by its signature, which is a tenth of it, and compared as a whole.
      const signature = token.slice(-SIGNATURE_LENGTH)
      const known = verified.get(signature)
      if (known?.token === token) return known.claims
      const claims = check(token)
      verified.set(signature, { token, claims })
      return claims
    }

    function check(token: string): Claims {
      // Only the ids of our own keys choose a key; a token brings none.
      const { kid, typ } = headerOf(token)
      const signer = jwt[kid]
      if (!signer) throw unauthenticated('The token is not one of this service')
      const payload = verifySignature(() => signer.verify<Payload>(token))
      const use = USES.get(payload.aud)
      if (!use || typ !== TYPES[use] || !isId(payload.sub) || !isId(payload.sid)) throw notValid()
      return { use, userId: payload.sub, sessionId: payload.sid, expiresAt: payload.exp * 1000 }
    }

    app.decorate('tokens', {
      useOf(token) {
        try {
          return claimsOf(token).use
        } catch {
          return null
        }
      },
      sign: (use, userId, sessionId) =>
        current.sign(
          { sub: userId, sid: sessionId, aud: AUDIENCES[use], jti: uuidv7() },
          { expiresIn: LIFETIMES[use], header: { alg: 'HS256', typ: TYPES[use] } },
        ),
      verify(token, use) {
        const claims = claimsOf(token)
        if (claims.expiresAt <= Date.now()) throw expired()
        if (claims.use !== use) throw unauthenticated('This token is not for this')
        return claims
      },
    } satisfies Tokens)
  },
  { name: 'tokens', dependencies: ['secrets'] },
)

const isId = (claim: unknown) => typeof claim === 'string' && isUuid(claim)

interface Payload {
  sub: string
  sid: string
  aud: unknown
  exp: number
}

/** Not yet proved. */
function headerOf(token: string): { kid: string; typ: unknown } {
  try {
    const { kid, typ } = JSON.parse(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString()) as {
      kid?: unknown
      typ?: unknown
    }
    return { kid: typeof kid === 'string' ? kid : '', typ }
  } catch {
    return { kid: '', typ: undefined }
  }
}

/** fast-jwt's errors of every kind mean the same to the caller: this token does not count. */
function verifySignature(verify: () => Payload): Payload {
  try {
    return verify()
  } catch (error) {
    if ((error as { code?: string }).code === 'FAST_JWT_EXPIRED') throw expired()
    throw notValid()
  }
}
