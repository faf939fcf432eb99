import Fastify from 'fastify'
import { CurrentUser } from '../../schemas/people/user.ts'
import { exampleOf } from '../../plugins/openapi/examples.ts'

/** A route that returns a constant of the same shape as the account: the limit of Fastify. */
const user = exampleOf(CurrentUser, {})
const app = Fastify()
app.get(
  '/',
  {
    schema: {
      response: { 200: { type: 'object', properties: { user: { ...CurrentUser, $id: undefined } } } },
    },
  },
  async () => ({ user }),
)
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.(address)
process.once('disconnect', () => void app.close())
