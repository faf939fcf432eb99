import fp from 'fastify-plugin'
import { isIP } from 'node:net'
import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import packageJson from '../../package.json' with { type: 'json' }

const Site = Type.Object({
  name: Type.String({ examples: ['Zonekeeper'] }),
  version: Type.String({ examples: [packageJson.version] }),
  siteUrl: Type.String({
    description: 'Public address, without a trailing slash',
    examples: ['https://dns.example.com'],
  }),
  registration: Type.Unsafe<'invite' | 'open' | 'closed'>({
    type: 'string',
    enum: ['invite', 'open', 'closed'],
    description: 'Who can register: with an invitation, anyone, or no one',
    examples: ['invite'],
  }),
  emailEnabled: Type.Boolean({
    description: 'A mail server is configured: password resets, confirmations and codes can be emailed',
    examples: [true],
  }),
  passkeys: Type.Boolean({
    description:
      'Browsers allow passkeys at `siteUrl`: a name, not an IP address, with https or on localhost',
    examples: [true],
  }),
})

/** Data about this installation a page needs before sign-in. */
const site: FastifyPluginAsyncTypebox = async (app) => {
  const { url: siteUrl, registration } = app.installation
  const answer = {
    name: 'Zonekeeper',
    version: packageJson.version,
    siteUrl,
    registration,
    emailEnabled: app.mail.configured,
    passkeys: hasPasskeys(new URL(siteUrl)),
  }
  app.get('/site', {
    config: { access: 'public' },
    schema: {
      operationId: 'getSite',
      tags: ['Sign-in'],
      summary: 'Get the data a sign-in page needs',
      description:
        'Whether and how people can register, and whether email and passkeys are available. Requires no sign-in, and reveals nothing about users.',
      response: { 200: Site },
    },
    handler: async () => answer,
  })
}

/** WebAuthn accepts only domain names (Web Authentication Level 3, 5.1.3) and secure contexts. */
function hasPasskeys({ protocol, hostname }: URL): boolean {
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  return isSecure && !isAddress
}

export default fp(site, { name: 'site', encapsulate: true, dependencies: ['installation', 'mail', 'access'] })
