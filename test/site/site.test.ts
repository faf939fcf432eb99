import t from 'tap'
import packageJson from '../../package.json' with { type: 'json' }
import { call, startApp } from '../helpers/app.ts'

const { app, database } = await startApp(t)

const siteWith = async (environment: Record<string, string>) => {
  const started = await startApp(t, { environment, database })
  return (await call(started.app, { url: '/api/site' })).body
}

void t.test('says before sign-in what there is, as it is when nothing is set', async (t) => {
  const { status, body } = await call(app, { url: '/api/site' })
  t.equal(status, 200)
  t.same(body, {
    name: 'Zonekeeper',
    version: packageJson.version,
    siteUrl: 'http://localhost:3000',
    registration: 'invite',
    emailEnabled: false,
    passkeys: true,
  })
})

void t.test('says what is set', async (t) => {
  const set = {
    SITE_URL: 'https://dns.example.com',
    REGISTRATION: 'open',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'dns@example.com',
  }
  t.match(await siteWith(set), {
    siteUrl: 'https://dns.example.com',
    registration: 'open',
    emailEnabled: true,
    passkeys: true,
  })
  t.match(await siteWith({ SITE_URL: 'http://dns.example.com' }), { passkeys: false }, 'no secure context')
  t.match(await siteWith({ SITE_URL: 'https://192.0.2.1' }), { passkeys: false }, 'an address is no name')
})
