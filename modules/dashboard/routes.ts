import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DashboardAnswer } from './schemas.ts'
import { readDashboard } from './service.ts'

export const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/dashboard',
    {
      config: { access: 'user' },
      schema: {
        operationId: 'getDashboard',
        tags: ['Dashboard'],
        summary: 'Domains by status, the next that expire, and what failed last',
        description: 'Of what the caller sees; failures of channels are for administrators.',
        response: { 200: DashboardAnswer },
      },
    },
    (request) => readDashboard(app.db, request.principal),
  )
}
