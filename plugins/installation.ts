import fp from 'fastify-plugin'

/** Who may create an account: holders of an invitation, anyone, or nobody. */
export type Registration = 'invite' | 'open' | 'closed'

/** Whether registering a name that overlaps another user's domain requires proof. */
export type Namesakes = 'prove' | 'allow'

/** Who must have a second factor. Machine accounts never sign in and need none. */
export type SecondFactorRule = 'none' | 'admins' | 'everyone'

/** Settings that several modules need. */
export interface Installation {
  /** Public URL without a trailing slash; links in emails start with it. */
  readonly url: string
  readonly registration: Registration
  readonly namesakes: Namesakes
  readonly requireSecondFactor: SecondFactorRule
  /** Maximum lifetime of a personal token in days; null for no limit. */
  readonly maxTokenDays: number | null
}

declare module 'fastify' {
  interface FastifyInstance {
    installation: Installation
  }
}

export default fp<Installation>(
  async (app, { url, registration, namesakes, requireSecondFactor, maxTokenDays }) => {
    app.decorate('installation', { url, registration, namesakes, requireSecondFactor, maxTokenDays })
  },
  { name: 'installation' },
)
