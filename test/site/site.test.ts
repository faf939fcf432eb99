import { readFileSync } from 'node:fs'
import t from 'tap'
import packageJson from '../../package.json' with { type: 'json' }
import { call, startApp } from '../helpers/app.ts'
import { isProblem } from '../helpers/problem.ts'

const { app, database } = await startApp(t)

const siteWith = async (environment: Record<string, string>) => {
  const started = await startApp(t, { environment, database })
  return (await call(started.app, { url: '/api/site' })).body
}

void t.test('data before sign-in, with default settings', async (t) => {
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

void t.test('data with settings', async (t) => {
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

void t.test('the front page describes the service to anyone', async (t) => {
  const { status, headers, body } = await call(app, { url: '/' })
  t.equal(status, 200)
  t.match(headers['content-type'], /^text\/html/)
  t.match(headers['content-security-policy'], /default-src 'none'/, 'under the policy of all answers')
  t.match(body, /<h1>Zonekeeper<\/h1>/)
  t.notMatch(body, /<script|<style|style=|<img|<link/, 'with nothing that the policy forbids')
})

void t.test('its links work', async (t) => {
  const { body } = await call(app, { url: '/' })
  const links = [...String(body).matchAll(/href="([^"]+)"/g)].map((match) => match[1] ?? '')
  t.ok(links.includes('/docs') && links.includes('/guide/README.md') && links.includes('/guide/records.md'))
  for (const url of links) t.equal((await call(app, { url })).status, 200, url)
})

void t.test('the guide of this version is served as text', async (t) => {
  const { headers, body } = await call(app, { url: '/guide/records.md' })
  t.equal(headers['content-type'], 'text/plain; charset=utf-8')
  t.equal(body, readFileSync('docs/records.md', 'utf8'))
})

void t.test('no other file is served', async (t) => {
  for (const page of ['package.json', '..%2fpackage.json', '..%2fdata%2fsecret.key', 'none.md']) {
    isProblem(t, await call(app, { url: `/guide/${page}` }), 404, 'not_found')
  }
})
