import fp from 'fastify-plugin'

/** Who may make an account of their own: with an invitation, anyone, or nobody. */
export type Registration = 'invite' | 'open' | 'closed'

/** What the rules of several areas need to know about this installation. */
export interface Installation {
  /** Public address without a final slash; links in mails begin with it. */
  readonly url: string
  readonly registration: Registration
}

declare module 'fastify' {
  interface FastifyInstance {
    installation: Installation
  }
}

export default fp<Installation>(
  async (app, { url, registration }) => {
    app.decorate('installation', { url, registration })
  },
  { name: 'installation' },
)
