import fp from 'fastify-plugin'
import { SIGNED_IN } from '../../plugins/openapi/audience.ts'
import frontPage from './front-page.ts'
import site from './site.ts'
import webConsole from './web-console.ts'

/** The web console, the pages of a service without one, and the data a page needs before sign-in. */
export default fp<{ consoleDist?: string }>(
  async (app, { consoleDist: dist }) => {
    await app.register(webConsole, { dist })
    await app.register(frontPage)
    await app.register(site, { prefix: SIGNED_IN.base })
  },
  { name: 'console', dependencies: ['requests'] },
)
