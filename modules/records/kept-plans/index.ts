import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { forgetOldPlans } from './queries.ts'

/** Plans that were shown and wait to be applied by their id: those that are over are forgotten. */
const plans: FastifyPluginAsync = async (app) => {
  app.work.every(600, 'kept-plans.cleanup', () => forgetOldPlans(app.jobsDb))
}

export default fp(plans, { name: 'plans', encapsulate: true, dependencies: ['db', 'work'] })
