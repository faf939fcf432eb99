import fp from 'fastify-plugin'
import type { Connection } from '../db/connection/connect.ts'
import db from './db.ts'
import events from './events/index.ts'
import outbox from './events/outbox/index.ts'
import sse from './events/sse.ts'
import installation, { type Installation } from './installation.ts'
import mail from './mail/index.ts'
import type { SmtpTls } from './mail/transport.ts'
import metrics from './metrics.ts'
import dns from './outbound/dns/index.ts'
import http from './outbound/http.ts'
import probe from './outbound/probe.ts'
import publicDns from './outbound/public-dns.ts'
import tcp from './outbound/tcp.ts'
import retention from './retention/index.ts'
import ownership from './security/ownership.ts'
import passwordHashes, { type HashCost } from './security/password-hashes.ts'
import secrets from './security/secrets.ts'
import work from './work/index.ts'

interface ServiceOptions extends Omit<Installation, 'url'> {
  siteUrl: string
  connection: Connection
  secretKeys: readonly Buffer[]
  alone: boolean
  passwordCost?: HashCost
  outboundAllow: readonly string[]
  dnsResolvers: readonly string[]
  nameServerPort?: number
  smtpUrl: string | null
  smtpTls: SmtpTls
  mailFrom: string | null
  historyMonths: number | null
  auditMonths: number | null
  archiveDir: string | null
}

/** Shared services: database, background work, secrets, events, outbound calls, and mail. */
export default fp<ServiceOptions>(
  async (app, options) => {
    const { alone, siteUrl: url, passwordCost: cost, smtpUrl, smtpTls, mailFrom } = options
    const allow = [...options.outboundAllow]
    await app.register(db, { connection: options.connection })
    await app.register(metrics)
    await app.register(events, { createClient: () => options.connection.createClient() })
    await app.register(work, { alone })
    const { historyMonths, auditMonths, archiveDir } = options
    await app.register(retention, { historyMonths, auditMonths, archiveDir })
    await app.register(secrets, { keys: options.secretKeys })
    await app.register(passwordHashes, { ...(cost && { cost }) })
    await app.register(outbox)
    await app.register(sse)
    await app.register(http, { allow })
    await app.register(tcp, { allow })
    await app.register(probe, { allow })
    const { dnsResolvers: resolvers, nameServerPort } = options
    await app.register(dns, { allow, resolvers, ...(nameServerPort !== undefined && { nameServerPort }) })
    await app.register(publicDns, { resolvers })
    await app.register(mail, { smtpUrl, smtpTls, mailFrom })
    await app.register(ownership)
    const { registration, namesakes, requireSecondFactor, maxTokenDays } = options
    await app.register(installation, { url, registration, namesakes, requireSecondFactor, maxTokenDays })
  },
  { name: 'services', dependencies: ['server'] },
)
