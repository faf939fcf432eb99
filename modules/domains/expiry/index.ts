import type { FastifyPluginAsync } from 'fastify'
import { sweepReminders } from './reminders.ts'

const EVERY_MINUTE = '* * * * *'

/** Looking up when registrations end, and telling it in time. */
export const expiry: FastifyPluginAsync = async (app) => {
  app.jobs.define('expiry.reminders', (_data, signal) => sweepReminders(app, signal), {
    schedule: EVERY_MINUTE,
  })
}
