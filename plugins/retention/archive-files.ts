import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { v7 as uuidv7 } from 'uuid'

/** An entry as it is exported. One with many parts continues on further lines with the same id. */
export interface Line {
  id: string
}

/** What file systems answer that have no hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

export const archiveExists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false
      throw error
    },
  )

/**
 * Writes lines as gzipped NDJSON. The file has its name only once it is complete and on disk, and an existing file is
 * never replaced: another instance has written it, and it stays. Returns false if there was no line, and so no file.
 */
export async function writeArchive(
  file: string,
  batches: AsyncIterable<readonly Line[]>,
  signal: AbortSignal,
): Promise<boolean> {
  const folder = path.dirname(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeLeftovers(file)
  const draft = `${file}.${uuidv7()}.tmp`
  let isEmpty = true
  async function* text() {
    for await (const lines of batches) {
      if (lines.length > 0) isEmpty = false
      yield lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    }
  }
  try {
    // `flush`: on disk before the stream ends.
    const target = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
    await pipeline(text, createGzip(), target, { signal })
    if (isEmpty) return false
    await giveName(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
  await syncFolder(folder)
  return true
}

async function giveName(draft: string, file: string): Promise<void> {
  await link(draft, file).catch(async (error: unknown) => {
    if (NO_LINKS.has(codeOf(error) ?? '')) return rename(draft, file)
    if (codeOf(error) !== 'EEXIST') throw error
  })
}

/** Removes what processes left that ended while they wrote this file. */
async function removeLeftovers(file: string): Promise<void> {
  const [folder, name] = [path.dirname(file), path.basename(file)]
  for (const entry of await readdir(folder))
    if (entry.startsWith(`${name}.`) && entry.endsWith('.tmp'))
      await rm(path.join(folder, entry), { force: true })
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The ids in a file, in batches of up to `size`. Rejects if it is damaged, with the batches before. */
export async function* idsIn(file: string, size: number): AsyncGenerator<string[]> {
  const source = createReadStream(file)
  const text = source.pipe(createGunzip())
  source.on('error', (error) => text.destroy(error))
  let ids: string[] = []
  let last: string | null = null
  try {
    for await (const line of createInterface({ input: text, crlfDelay: Infinity })) {
      const { id } = JSON.parse(line) as Line
      if (id === last) continue
      if (ids.length === size) {
        yield ids
        ids = []
      }
      ids.push((last = id))
    }
  } finally {
    source.destroy()
  }
  if (ids.length > 0) yield ids
}
