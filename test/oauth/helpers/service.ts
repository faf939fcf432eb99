import { startApp, type Answer, type TestApp } from '../../helpers/app.ts'
import { freePort } from '../../peers/processes.ts'
import { Browser } from './browser.ts'

interface Owner {
  teardown(end: () => unknown): void
}

export const CLIENT_ID = 'zonekeeper-test-client'
export const CLIENT_SECRET = 'a-secret-that-is-long-enough-for-everybody'

export interface OAuthService extends TestApp {
  url: string
  /** Where all authorization flows end. */
  landing: string
  /** Configures an identity provider with CLIENT_ID and CLIENT_SECRET and answers its configuration. */
  configure(providerId: string, settings?: object): Promise<Answer['body']>
  /** Signs in by the provider, from a new browser if none is given; answers the query of the landing page. */
  authorize(providerId: string, browser?: Browser): Promise<Record<string, string>>
  /** A authorize that must end with a ticket, and what that is good for. */
  enter(providerId: string, browser?: Browser): Promise<Answer['body']>
  exchange(browser: Browser, ticket: string): Promise<{ status: number; body: Answer['body'] }>
}

/** The service on a socket, where browsers and identity providers find it. */
export async function startService(
  t: Owner,
  options: NonNullable<Parameters<typeof startApp>[1]> = {},
): Promise<OAuthService> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const started = await startApp(t, {
    ...options,
    environment: { SITE_URL: url, REGISTRATION: 'open', ...options.environment },
  })
  await started.app.listen({ host: '127.0.0.1', port })
  const landing = `${url}/auth/callback`

  const authorize = async (providerId: string, browser = new Browser()) => {
    const end = await browser.travel(`${url}/api/auth/oauth/${providerId}/authorize`, landing)
    return Object.fromEntries(end.searchParams)
  }
  const exchange = async (browser: Browser, ticket: string) => {
    const { status, json } = await browser.post(`${url}/api/auth/oauth/exchange-ticket`, { ticket })
    return { status, body: json }
  }
  return {
    ...started,
    url,
    landing,
    authorize,
    exchange,
    configure: async (providerId, settings = {}) => {
      const { status, body } = await started.admin.post('/api/oauth/providers', {
        providerId,
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        ...settings,
      })
      if (status !== 201) throw new Error(`Not configured: ${JSON.stringify(body)}`)
      return body
    },
    enter: async (providerId, browser = new Browser()) => {
      const query = await authorize(providerId, browser)
      if (query['ticket'] === undefined) throw new Error(`No ticket: ${JSON.stringify(query)}`)
      const { status, body } = await exchange(browser, query['ticket'])
      if (status !== 200) throw new Error(`The ticket opens nothing: ${JSON.stringify(body)}`)
      return body
    },
  }
}
