import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { homedir } from 'node:os'
import { EXIT, Failure } from './failures.ts'

/** Where the service is, and as whom it is called. */
export interface Login {
  url: string
  token: string
}

/** The file that `login` writes, in the user's own configuration. */
export function loginFile(env: NodeJS.ProcessEnv): string {
  const home = env['HOME'] ?? homedir()
  const config = env['XDG_CONFIG_HOME'] || env['APPDATA'] || path.join(home, '.config')
  return path.join(config, 'zonekeeper', 'login.json')
}

/** Keeps it for the next runs, readable by this user alone. */
export async function storeLogin(env: NodeJS.ProcessEnv, login: Login): Promise<string> {
  const file = loginFile(env)
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  const handle = await open(draft, 'wx', 0o600)
  await handle.writeFile(`${JSON.stringify(login, null, 2)}\n`)
  await handle.close()
  await rename(draft, file)
  return file
}

/** Also when there is none. */
export const forgetLogin = (env: NodeJS.ProcessEnv): Promise<void> => rm(loginFile(env), { force: true })

/**
 * ZONEKEEPER_URL and ZONEKEEPER_TOKEN, else what `login` stored. A stored token goes to the address that it was
 * stored for alone. Throws Failure when something is missing.
 */
export async function readLogin(env: NodeJS.ProcessEnv): Promise<Login> {
  const stored = await storedLogin(env)
  const url = env['ZONEKEEPER_URL'] ? addressOf(env['ZONEKEEPER_URL']) : stored?.url
  const token = env['ZONEKEEPER_TOKEN'] || (url === stored?.url ? stored?.token : undefined)
  if (url === undefined) throw missing('It is not known where Zonekeeper is', 'ZONEKEEPER_URL')
  if (token === undefined) throw missing(`There is no token for ${url}`, 'ZONEKEEPER_TOKEN')
  return { url, token }
}

const missing = (what: string, variable: string) =>
  new Failure(EXIT.notAllowed, `${what}: run "zonekeeper login", or set ${variable}`)

async function storedLogin(env: NodeJS.ProcessEnv): Promise<Login | null> {
  const file = loginFile(env)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new Failure(EXIT.failed, `${file} can't be read (${error.code})`)
  })
  if (text === null) return null
  try {
    const { url, token } = JSON.parse(text) as Partial<Login>
    if (typeof url === 'string' && typeof token === 'string') return { url, token }
  } catch {
    // Told below, with what to do.
  }
  throw new Failure(EXIT.failed, `${file} is damaged: run "zonekeeper login" again`)
}

/** The address of a service as it is called, without a final slash. */
export function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username)
    throw new Failure(EXIT.usage, `"${text}" is no address such as https://dns.example.com`)
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
