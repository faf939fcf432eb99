import type { FastifyInstance } from 'fastify'
import type { AuthContext } from '../auth/sessions.ts'

/** What external sign-in needs from the app. */
export type OAuthContext = AuthContext & Pick<FastifyInstance, 'http' | 'identityMetadata' | 'log'>
