import t from 'tap'
import { call, startApp } from '../helpers/app.ts'

const { app } = await startApp(t, { environment: { RATE_LIMIT: '1000' } })

void t.test('63. 64. making accounts and asking for links are limited for each address', async (t) => {
  const calls = {
    '/api/auth/register': { inviteCode: 'guess', username: 'guesser', password: 'a fine long secret' },
    '/api/auth/password/forgot': { email: 'somebody@example.com' },
  }
  for (const [url, payload] of Object.entries(calls)) {
    const from = (remoteAddress: string) => call(app, { method: 'POST', url, payload, remoteAddress })
    for (let i = 0; i < 10; i++) t.not((await from('192.0.2.1')).status, 429)
    const answer = await from('192.0.2.1')
    t.match(answer, { status: 429, body: { code: 'rate_limited' }, headers: { 'retry-after': /^\d+$/ } })
    t.not((await from('192.0.2.2')).status, 429, 'another address goes on')
  }
})
