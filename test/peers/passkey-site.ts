import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a front end does with passkeys; the test calls these functions in the browser. */
const PAGE = `<!doctype html>
<html lang="en">
<title>Passkeys</title>
<script>
  async function call(method, path, { body, token } = {}) {
    const headers = {}
    if (body) headers['content-type'] = 'application/json'
    if (token) headers.authorization = 'Bearer ' + token
    const answer = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return { status: answer.status, body: await answer.json().catch(() => null) }
  }

  async function answerOf(options) {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options.body)
    return (await navigator.credentials.get({ publicKey })).toJSON()
  }

  async function register(token, name) {
    const options = await call('POST', '/api/2fa/passkeys/options', { token })
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options.body)
    const credential = (await navigator.credentials.create({ publicKey })).toJSON()
    return call('POST', '/api/2fa/passkeys', { token, body: { name, credential } })
  }

  async function secondStep(token) {
    const credential = await answerOf(await call('POST', '/api/2fa/passkey/options', { token }))
    return call('POST', '/api/2fa/verify', { token, body: { method: 'passkey', credential } })
  }

  async function signInAlone() {
    const credential = await answerOf(await call('POST', '/api/auth/passkey/options'))
    return call('POST', '/api/auth/passkey/login', { body: { credential } })
  }
</script>
`

export interface Site {
  port: number
  close(): Promise<void>
}

/** A site on a free loopback port: the page, and the API behind it as a reverse proxy has it. */
export async function startSite(apiPort: () => number, pageText = PAGE): Promise<Site> {
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers } = incoming
    if (!/^\/(api|oauth)\//.test(path)) {
      outgoing.setHeader('content-type', 'text/html')
      outgoing.end(pageText)
      return
    }
    const forwarded = request({ host: '127.0.0.1', port: apiPort(), method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
