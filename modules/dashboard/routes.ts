import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { DashboardAnswer, ExpiriesAnswer } from './schemas.ts'
import { readDashboard, readExpiries } from './service.ts'

export const routes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, tags, operationId } },
) => {
  app.get(
    '/dashboard',
    {
      config: { ...rule('domains:read'), concurrencyLimit: true },
      schema: {
        operationId: operationId('getDashboard'),
        tags: tags('Dashboard'),
        summary:
          'Domains by status, the next that expire, records that are not managed, and what failed last',
        description: 'Of what the caller sees; failures of channels are for administrators.',
        response: { 200: DashboardAnswer },
      },
    },
    (request) => readDashboard(app.db, request.principal),
  )

  app.get(
    '/dashboard/expiries',
    {
      config: { ...rule('domains:read'), concurrencyLimit: true },
      schema: {
        operationId: operationId('getExpiries'),
        tags: tags('Dashboard'),
        summary: 'How many domains expire in each week of the next twelve months',
        description:
          'Of what the caller sees, by status: the data of a timeline. Domains without a date, and those that expire later, are in none of the weeks.',
        response: { 200: ExpiriesAnswer },
      },
    },
    (request) => readExpiries(app.db, request.principal),
  )
}
