import type { FastifyBaseLogger } from 'fastify'
import type { Http } from '../../plugins/outbound/http.ts'
import type { AuthContext } from '../auth/sessions.ts'
import type { MetadataCache } from './flow/metadata.ts'

declare module 'fastify' {
  interface FastifyInstance {
    identityMetadata: MetadataCache
  }
}

/** What external sign-in needs from the app. */
export interface OAuthContext extends AuthContext {
  http: Http
  identityMetadata: MetadataCache
  log: FastifyBaseLogger
}
