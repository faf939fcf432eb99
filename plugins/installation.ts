import fp from 'fastify-plugin'

/** Who may make an account of their own: with an invitation, anyone, or nobody. */
export type Registration = 'invite' | 'open' | 'closed'

/** Whether members may register a name that overlaps with a domain of another user only with proof, or freely. */
export type Namesakes = 'prove' | 'allow'

/** Who must have a second factor besides a password or an identity provider. Machines never sign in and need none. */
export type SecondFactorRule = 'none' | 'admins' | 'everyone'

/** What the rules of several areas need to know about this installation. */
export interface Installation {
  /** Public address without a final slash; links in mails begin with it. */
  readonly url: string
  readonly registration: Registration
  readonly namesakes: Namesakes
  readonly requireSecondFactor: SecondFactorRule
  /** The longest life of a personal token, in days; null: no limit. */
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
