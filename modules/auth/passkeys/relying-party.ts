import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    relyingParty: RelyingParty
  }
}

/** Who we are to authenticators (WebAuthn's "relying party"). */
export interface RelyingParty {
  /** The host name that passkeys belong to. Another SITE_URL later makes all of them unusable. */
  id: string
  /** For people. */
  name: string
  /** Where the pages are that may use our passkeys. */
  origins: string[]
}

interface Options {
  siteUrl: string
  corsOrigins: readonly string[]
}

/**
 * From SITE_URL and CORS_ORIGINS. Of the latter only those count whose host is that of SITE_URL or below
 * it: browsers let no other page use this id.
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
