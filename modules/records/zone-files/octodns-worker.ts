import { parentPort, workerData } from 'node:worker_threads'
import { parseOctodns } from './octodns.ts'
import type { OctodnsPart, OctodnsWork } from './octodns-thread.ts'

/* The thread of modules/records/zone-files/octodns-thread.ts: reads one file, and sends what it found in parts. */

/** Records of a message, so that taking one does not keep the receiver long. */
const IN_ONE = 500

const { text, zone } = workerData as OctodnsWork
const { records, skipped, errors } = await parseOctodns(text, zone)
// A thread has no origin to name.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const send = (part: OctodnsPart) => parentPort?.postMessage(part)
for (let at = 0; at < records.length; at += IN_ONE) send({ records: records.slice(at, at + IN_ONE) })
for (let at = 0; at < skipped.length; at += IN_ONE) send({ skipped: skipped.slice(at, at + IN_ONE) })
send({ errors, isLast: true })
