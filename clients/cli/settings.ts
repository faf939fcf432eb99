import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { homedir } from 'node:os'
import { EXIT, CliError } from './failures.ts'

/** URL and token of a service. */
export interface Login {
  url: string
  token: string
}

/** Returns the path of the file that `login` writes, in the user's configuration folder. */
export function loginFile(env: NodeJS.ProcessEnv): string {
  const home = env['HOME'] ?? homedir()
  const config = env['XDG_CONFIG_HOME'] || env['APPDATA'] || path.join(home, '.config')
  return path.join(config, 'zonekeeper', 'login.json')
}

/** Stores the login, readable only by this user. */
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

/** Deletes the stored login, if any. */
export const forgetLogin = (env: NodeJS.ProcessEnv): Promise<void> => rm(loginFile(env), { force: true })

/**
 * Returns ZONEKEEPER_URL and ZONEKEEPER_TOKEN, else the stored login. A stored token is sent only to the URL it was stored
 * for. Throws CliError if something is missing.
 */
export async function readLogin(env: NodeJS.ProcessEnv): Promise<Login> {
  const stored = await storedLogin(env)
  const url = env['ZONEKEEPER_URL'] ? addressOf(env['ZONEKEEPER_URL']) : stored?.url
  const token = env['ZONEKEEPER_TOKEN'] || (url === stored?.url ? stored?.token : undefined)
  if (url === undefined) throw missing('No URL of Zonekeeper is set', 'ZONEKEEPER_URL')
  if (token === undefined) throw missing(`No token for ${url}`, 'ZONEKEEPER_TOKEN')
  return { url, token }
}

const missing = (what: string, variable: string) =>
  new CliError(EXIT.notAllowed, `${what}. Run "zonekeeper login" or set ${variable}.`)

async function storedLogin(env: NodeJS.ProcessEnv): Promise<Login | null> {
  const file = loginFile(env)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new CliError(EXIT.failed, `${file} can't be read (${error.code})`)
  })
  if (text === null) return null
  try {
    const { url, token } = JSON.parse(text) as Partial<Login>
    if (typeof url === 'string' && typeof token === 'string') return { url, token }
  } catch {
    // Reported below.
  }
  throw new CliError(EXIT.failed, `${file} is damaged. Run "zonekeeper login" again.`)
}

/** Returns the URL without a trailing slash. Throws CliError if it is not one. */
export function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username)
    throw new CliError(EXIT.usage, `"${text}" is not a URL such as https://dns.example.com`)
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
