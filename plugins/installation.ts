import fp from 'fastify-plugin'

/** Who may make an account of their own: with an invitation, anyone, or nobody. */
export type Registration = 'invite' | 'open' | 'closed'

/** Whether members may register a name that overlaps with a domain of another user only with proof, or freely. */
export type Namesakes = 'prove' | 'allow'

/** What the rules of several areas need to know about this installation. */
export interface Installation {
  /** Public address without a final slash; links in mails begin with it. */
  readonly url: string
  readonly registration: Registration
  readonly namesakes: Namesakes
}

declare module 'fastify' {
  interface FastifyInstance {
    installation: Installation
  }
}

export default fp<Installation>(
  async (app, { url, registration, namesakes }) => {
    app.decorate('installation', { url, registration, namesakes })
  },
  { name: 'installation' },
)
