import compress from '@fastify/compress'
import fp from 'fastify-plugin'

/** JSON, zone files and CSV; not the event stream, which is sent piece by piece. */
const COMPRESSED = /^(?:application\/(?:[\w.+-]+\+)?json|text\/(?:csv|dns))\s*(?:;|$)/

/** Smaller answers fit into one packet. */
const THRESHOLD_BYTES = 1024

/**
 * Compresses answers for clients that accept it. An attacker who can send requests in the name of a user and see the size of the
 * answers could guess secrets in them (BREACH); but browsers add no credentials to requests of other sites here: access tokens are in
 * a header, and the cookies are `SameSite=Strict` and sent to `/api/auth` alone. Request bodies are never decompressed.
 */
export default fp(
  async (app) => {
    await app.register(compress, {
      encodings: ['br', 'gzip'],
      customTypes: COMPRESSED,
      threshold: THRESHOLD_BYTES,
      globalDecompression: false,
    })
  },
  { name: 'compression', dependencies: ['idempotency'] },
)
