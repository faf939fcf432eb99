import fp from 'fastify-plugin'
import { isIP } from 'node:net'
import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import packageJson from '../../package.json' with { type: 'json' }

const Site = Type.Object({
  name: Type.String({ examples: ['Zonekeeper'] }),
  version: Type.String({ examples: [packageJson.version] }),
  siteUrl: Type.String({
    description: 'Public address, without a final slash',
    examples: ['https://dns.example.com'],
  }),
  registration: Type.Unsafe<'invite' | 'open' | 'closed'>({
    type: 'string',
    enum: ['invite', 'open', 'closed'],
    description: 'Who may make an account: with an invitation, anyone, or nobody',
    examples: ['invite'],
  }),
  emailEnabled: Type.Boolean({
    description: 'There is a mail server: forgotten passwords, confirmations and codes can be mailed',
    examples: [true],
  }),
  passkeys: Type.Boolean({
    description:
      'Browsers let pages at `siteUrl` use passkeys: a name, not an address, by https or on localhost',
    examples: [true],
  }),
})

/** What a page needs to know about this installation before anybody is signed in. */
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
  app.get(
    '/site',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getSite',
        tags: ['Sign-in'],
        summary: 'What a sign-in page needs to know about this service',
        description:
          'Whether people may register and how, and whether there are e-mail and passkeys. Needs no sign-in, and tells nothing about who uses the service.',
        response: { 200: Site },
      },
    },
    async () => answer,
  )
}

/** WebAuthn takes names of domains only (Web Authentication Level 3, 5.1.3), and pages of a secure context. */
function hasPasskeys({ protocol, hostname }: URL): boolean {
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  return isSecure && !isAddress
}

export default fp(site, { name: 'site', encapsulate: true, dependencies: ['installation', 'mail', 'access'] })
