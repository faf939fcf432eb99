import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { DashboardAnswer, ExpiriesAnswer } from './schemas.ts'
import { readDashboard, readExpiries } from './service.ts'

export const routes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, tags, operationId } },
) => {
  app.get('/dashboard', {
    config: { ...rule('domains:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('getDashboard'),
      tags: tags('Dashboard'),
      summary: 'Domains by status, next expiry dates, unmanaged records and recent failures',
      description: 'Covers the domains visible to the caller. Channel failures are for administrators.',
      response: { 200: DashboardAnswer },
    },
    handler: (request) => readDashboard(app.db, request.principal),
  })

  app.get('/dashboard/expiries', {
    config: { ...rule('domains:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('getExpiries'),
      tags: tags('Dashboard'),
      summary: 'Number of domains that expire in each week of the next twelve months',
      description:
        'Covers the domains visible to the caller, by status. Domains without an expiry date or with a later one are not counted.',
      response: { 200: ExpiriesAnswer },
    },
    handler: (request) => readExpiries(app.db, request.principal),
  })
}
