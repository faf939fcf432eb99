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

/** The use of a token. An access token opens the API, a temporary one only the second step of a sign-in. */
type TokenUse = 'access' | 'temp'

interface Claims {
  use: TokenUse
  userId: string
  /** The session of an access token, the challenge of a temporary one. */
  sessionId: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}

export interface Tokens {
  sign(use: TokenUse, userId: string, sessionId: string): string
  /**
   * Throws 401 `unauthenticated` or `token_expired`. Does not check the session: see plugins/security/access.
   */
  verify(token: string, use: TokenUse): Claims
  /** Returns the use of a valid token; null for any other. */
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
/** In the header (RFC 9068 section 2.1, RFC 8725 section 3.11): a token states its use twice. */
const TYPES = { access: 'at+jwt', temp: '2fa+jwt' } as const
const LIFETIMES = { access: ACCESS_TOKEN_SECONDS, temp: TEMP_TOKEN_SECONDS } as const

/** Number of verified tokens cached; verifying a signature is the most expensive part of a small request. */
const REMEMBERED = 20_000

/** Length of HMAC-SHA-256 in base64url. */
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
      // Found by its signature, a tenth of its length, and compared completely.
      const signature = token.slice(-SIGNATURE_LENGTH)
      const known = verified.get(signature)
      if (known?.token === token) return known.claims
      const claims = check(token)
      verified.set(signature, { token, claims })
      return claims
    }

    function check(token: string): Claims {
      // Only ids of our own keys select a key; keys in a token are ignored.
      const { kid, typ } = headerOf(token)
      const signer = jwt[kid]
      if (!signer) throw unauthenticated('The token was not issued by this service')
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
        if (claims.use !== use) throw unauthenticated('Wrong token type')
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

/** Not verified. */
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

/** Every kind of fast-jwt error means the same to the caller: the token is not valid. */
function verifySignature(verify: () => Payload): Payload {
  try {
    return verify()
  } catch (error) {
    if ((error as { code?: string }).code === 'FAST_JWT_EXPIRED') throw expired()
    throw notValid()
  }
}
