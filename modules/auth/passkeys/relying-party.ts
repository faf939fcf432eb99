import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    relyingParty: RelyingParty
  }
}

/** This service's identity towards authenticators (WebAuthn "relying party"). */
export interface RelyingParty {
  /** The host name passkeys belong to. Changing SITE_URL later makes all of them unusable. */
  id: string
  /** Shown to people. */
  name: string
  /** Origins of the pages that can use the passkeys. */
  origins: string[]
}

interface Options {
  siteUrl: string
  corsOrigins: readonly string[]
}

/**
 * From SITE_URL, and those of CORS_ORIGINS at or below the host of SITE_URL, as in browsers.
 */
function relyingPartyOf({ siteUrl, corsOrigins }: Options): RelyingParty {
  const id = new URL(siteUrl).hostname
  const isOurs = ({ hostname }: URL) => hostname === id || hostname.endsWith(`.${id}`)
  return { id, name: 'Zonekeeper', origins: [siteUrl, ...corsOrigins.filter((o) => isOurs(new URL(o)))] }
}

export default fp<Options>(
  async (app, options) => {
    app.decorate('relyingParty', relyingPartyOf(options))
  },
  { name: 'relying-party' },
)
