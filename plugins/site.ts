import fp from 'fastify-plugin'

/** Who may make an account of their own: with an invitation, anyone, or nobody. */
export type Registration = 'invite' | 'open' | 'closed'

/** What the rules of several areas need to know about this installation. */
export interface Site {
  /** Public address without a final slash; links in mails begin with it. */
  readonly url: string
  readonly registration: Registration
}

declare module 'fastify' {
  interface FastifyInstance {
    site: Site
  }
}

export default fp<Site>(
  async (app, { url, registration }) => {
    app.decorate('site', { url, registration })
  },
  { name: 'site' },
)
