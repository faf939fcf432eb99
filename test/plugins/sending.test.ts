import t from 'tap'
import { startApp } from '../helpers/app.ts'

const { app } = await startApp(t, {
  extend(app) {
    const config = { access: 'public' } as const
    app.get('/test/many/:n', { config }, async (request) => ({ n: (request.params as { n: string }).n }))
    app.get('/test/broken', { config }, (_request, reply) => {
      // What Node refuses only when it writes the head.
      reply.header('x-fine', 'yes').header('x-broken', 'a\nb')
      return { broken: true }
    })
  },
})
const address = await app.listen({ port: 0, host: '127.0.0.1' })

void t.test(
  'many answers at once: each gets its own, and one that fails keeps none from theirs',
  async (t) => {
    const ask = async (path: string) => {
      const response = await fetch(address + path)
      return {
        status: response.status,
        nosniff: response.headers.get('x-content-type-options'),
        body: await response.json(),
      }
    }
    for (let round = 0; round < 5; round++) {
      const paths = Array.from({ length: 30 }, (_, n) => (n % 10 === 3 ? '/test/broken' : `/test/many/${n}`))
      const answers = await Promise.all(paths.map(ask))
      for (const [n, answer] of answers.entries()) {
        if (n % 10 === 3) t.match(answer, { status: 500, nosniff: 'nosniff', body: { code: 'internal' } })
        else t.same(answer, { status: 200, nosniff: 'nosniff', body: { n: String(n) } })
      }
    }
  },
)
