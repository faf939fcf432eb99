import pino from 'pino'
import t from 'tap'
import { loggerOptions } from '../../plugins/http/logging.ts'
import { startIssuer } from './simulators/issuer.ts'
import { Browser } from './helpers/browser.ts'
import { CLIENT_SECRET, startService } from './helpers/service.ts'

const lines: string[] = []
const log = pino(loggerOptions('trace'), { write: (line) => void lines.push(line) })
const service = await startService(t, { log })
const issuer = await startIssuer(t)
await service.configure('oidc', { wellKnownUrl: issuer.wellKnownUrl })

void t.test('47. no code, state, ticket or token in the log, whether it works or not', async (t) => {
  const secrets = ['an-access-token', CLIENT_SECRET]
  const browser = new Browser()
  for (const lie of [undefined, () => 'eyJhbGciOiJub25lIn0.e30.', () => undefined]) {
    issuer.lies = lie ? { idToken: lie } : {}
    const back = await browser.travel(
      `${service.url}/api/auth/oauth/oidc/authorize`,
      `${service.url}/oauth/oidc`,
    )
    for (const name of ['code', 'state']) secrets.push(back.searchParams.get(name) ?? '')
    const end = new URL((await browser.get(back.href)).location ?? '')
    const ticket = end.searchParams.get('ticket')
    if (ticket === null) continue
    const { body } = await service.exchange(browser, ticket)
    secrets.push(ticket, body.accessToken)
  }
  secrets.push(browser.cookie('oauth_flow') ?? '')
  const written = lines.join('')
  t.match(written, /external sign-in failed/)
  t.match(written, /\/oauth\/oidc\?/)
  for (const secret of secrets) t.notOk(secret === '' || written.includes(secret), secret)
})

void t.test('why it failed is said in words', async (t) => {
  const before = lines.length
  issuer.lies = { claims: (claims) => ({ ...claims, aud: 'somebody-else' }) }
  await service.authorize('oidc')
  const line = lines.slice(before).find((text) => text.includes('external sign-in failed'))
  t.match(JSON.parse(line ?? '{}'), { provider: 'oidc', reason: /^Token: unexpected JWT claim/ })
})
