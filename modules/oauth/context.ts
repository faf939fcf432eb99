import type { FastifyBaseLogger } from 'fastify'
import type { Http } from '../../plugins/http.ts'
import type { AuthContext } from '../auth/sessions.ts'
import type { MetadataCache } from './metadata.ts'

declare module 'fastify' {
  interface FastifyInstance {
    identityMetadata: MetadataCache
  }
}

/** What external sign-in needs of the app. */
export interface OAuthContext extends AuthContext {
  http: Http
  identityMetadata: MetadataCache
  log: FastifyBaseLogger
}
