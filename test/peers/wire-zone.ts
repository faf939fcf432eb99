import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { joinLabels, readName } from '../../dns/wire/wire-name.ts'

/*
 * What is in a zone, as real programs have it on the wire: one line a record, `<name> <TTL> <code> <bytes in hex>`,
 * sorted, without the SOA.
 */

const run = promisify(execFile)
const SOA = 6
const MAX_OUTPUT = 64 * 1024 * 1024

const lineOf = (name: string | null, ttl: number, code: number, rdata: string) =>
  `${name} ${ttl} ${code} ${rdata}`

/** By AXFR from a server on loopback, read by dig; `key` as dig's option `-y` has it. */
export async function transferredZone(port: number, zone: string, key?: string): Promise<string[]> {
  const options = ['+unknownformat', '+onesoa', '+nottlunits', '+noall', '+answer']
  const signed = key === undefined ? [] : ['-y', key]
  const { stdout } = await run('dig', [`-p${port}`, '@127.0.0.1', ...signed, zone, 'AXFR', ...options], {
    maxBuffer: MAX_OUTPUT,
  })
  const lines: string[] = []
  for (const line of stdout.split('\n')) {
    if (line === '' || line.startsWith(';')) continue
    const match = /^(\S+)\s+(\d+)\s+CLASS1\s+TYPE(\d+)\s+\\#\s+\d+\s*(.*)$/.exec(line)
    if (match === null) throw new Error(`dig wrote ${line}`)
    const [, name = '', ttl, code, rdata = ''] = match
    if (Number(code) === SOA) continue
    lines.push(lineOf(readName(name), Number(ttl), Number(code), rdata.replaceAll(' ', '').toLowerCase()))
  }
  return lines.sort()
}

const SOA_LINE = '@ 3600 IN SOA ns1.example.net. hostmaster.example.net. 1 10800 3600 1209600 3600\n'

/** What BIND's `named-compilezone` makes of a master file, also one without SOA. Rejects with what it complains about. */
export async function compiledZone(text: string, zone: string): Promise<string[]> {
  const home = await mkdtemp(path.join(tmpdir(), 'zonekeeper-bind-'))
  try {
    const [from, to] = [path.join(home, 'in.zone'), path.join(home, 'out.raw')]
    const hasSoa = /^\S+\s+\d+\s+IN\s+SOA\s/m.test(text)
    await writeFile(from, hasSoa ? text : text.replace(/\$TTL \d+\n/, (line) => line + SOA_LINE))
    await run('named-compilezone', ['-i', 'none', '-F', 'raw', '-o', to, zone, from]).catch(
      (error: { stdout?: string; message: string }) => {
        throw new Error(error.stdout ?? error.message)
      },
    )
    return readRaw(await readFile(to))
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** BIND's format `raw`, version 1: a header, then RRset after RRset with owner and bytes as on the wire. */
function readRaw(file: Buffer): string[] {
  const HEADER = 24
  const lines: string[] = []
  for (let at = HEADER; at < file.length; at += file.readUInt32BE(at)) {
    const [code, ttl, count] = [
      file.readUInt16BE(at + 6),
      file.readUInt32BE(at + 10),
      file.readUInt32BE(at + 14),
    ]
    const nameLength = file.readUInt16BE(at + 18)
    const name = joinLabels(labelsOf(file.subarray(at + 20, at + 20 + nameLength)))
    let next = at + 20 + nameLength
    for (let i = 0; i < count && code !== SOA; i++) {
      const length = file.readUInt16BE(next)
      lines.push(lineOf(name, ttl, code, file.toString('hex', next + 2, next + 2 + length)))
      next += 2 + length
    }
  }
  return lines.sort()
}

function labelsOf(name: Buffer): Buffer[] {
  const labels: Buffer[] = []
  for (let at = 0; name[at] !== 0; at += 1 + (name[at] as number)) {
    labels.push(name.subarray(at + 1, at + 1 + (name[at] as number)))
  }
  return labels
}
