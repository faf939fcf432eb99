import { LRUCache } from 'lru-cache'
import type { ServerMetadata } from 'openid-client'
import { isSecure, parseObject, type Calls, type JsonObject } from './calls.ts'
import { failed } from '../errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    identityMetadata: MetadataCache
  }
}

/** How long a discovery document or key set is cached. */
const FRESH_MS = 10 * 60_000

/** More than an installation needs; bounds the memory used by testing addresses. */
const MAX_ENTRIES = 50

/** Cached metadata of identity providers. */
export interface MetadataCache {
  /**
   * Returns the discovery document of the address (OpenID Connect Discovery 1.0 section 4); `renew` bypasses
   * the cache.
   */
  document(calls: Calls, wellKnownUrl: string, renew?: boolean): Promise<ServerMetadata>
  /** Returns the JWK set as text; fetched again if it is old or lacks the requested key id. */
  keys(calls: Calls, jwksUri: string, keyId: string | null, renew?: boolean): Promise<string>
}

export function createMetadataCache(): MetadataCache {
  const documents = new LRUCache<string, ServerMetadata>({ max: MAX_ENTRIES, ttl: FRESH_MS })
  const keySets = new LRUCache<string, string>({ max: MAX_ENTRIES, ttl: FRESH_MS })
  return {
    document: async (calls, wellKnownUrl, renew = false) => {
      const known = documents.get(wellKnownUrl)
      if (!renew && known !== undefined) return known
      const document = checkDocument(wellKnownUrl, await calls.json({ method: 'GET', url: wellKnownUrl }))
      documents.set(wellKnownUrl, document)
      return document
    },
    keys: async (calls, jwksUri, keyId, renew = false) => {
      const known = keySets.get(jwksUri)
      if (!renew && known !== undefined && holds(known, keyId)) return known
      const set = await calls.json({ method: 'GET', url: jwksUri })
      if (!Array.isArray(set['keys'])) throw failed('The keys are no JSON Web Key Set')
      const text = JSON.stringify(set)
      keySets.set(jwksUri, text)
      return text
    },
  }
}

/** Without a key id any set will do; the verification decides. */
function holds(keySet: string, keyId: string | null): boolean {
  if (keyId === null) return true
  const { keys } = parseObject(keySet) as { keys: JsonObject[] }
  return keys.some(({ kid }) => kid === keyId)
}

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const

/**
 * The document must be about the issuer of the configured address (section 4.3); otherwise one provider could
 * speak for another.
 */
function checkDocument(wellKnownUrl: string, document: JsonObject): ServerMetadata {
  const { issuer } = document
  const expected = issuerOf(wellKnownUrl)
  if (typeof issuer !== 'string' || (issuer !== expected && issuer !== `${expected}/`)) {
    throw failed(`The discovery document names a different issuer than ${expected}`)
  }
  for (const name of ENDPOINTS) {
    const url = document[name]
    if (typeof url !== 'string' || !isSecure(url)) {
      throw failed(`The discovery document has no https address for ${name}`)
    }
  }
  const userInfo = document['userinfo_endpoint']
  if (userInfo !== undefined && (typeof userInfo !== 'string' || !isSecure(userInfo))) {
    throw failed('The discovery document has no https address for userinfo_endpoint')
  }
  return document as unknown as ServerMetadata
}

const SUFFIX = '/.well-known/openid-configuration'

/** Returns the issuer of a discovery address, without a trailing slash. */
const issuerOf = (wellKnownUrl: string) => wellKnownUrl.slice(0, -SUFFIX.length)

/** Returns the discovery address for a value that may be the issuer itself. */
export const toWellKnownUrl = (url: string) => (url.endsWith(SUFFIX) ? url : url.replace(/\/$/, '') + SUFFIX)
