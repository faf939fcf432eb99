export interface Page {
  url: string
  status: number
  /** Where it redirects to, complete. */
  location: string | null
  headers: Headers
  text: string
  // What an answer holds shows in the assertions.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
}

interface Cookie {
  name: string
  value: string
  path: string
  origin: string
}

const MAX_HOPS = 15

/** What a browser does on its way through redirects: cookies by origin and path, one page after another. */
export class Browser {
  cookies: Cookie[] = []

  get(url: string, headers: Record<string, string> = {}): Promise<Page> {
    return this.#send(url, { headers })
  }

  post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Page> {
    return this.#send(url, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  }

  submit(url: string, fields: Record<string, string>): Promise<Page> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return this.#send(url, { method: 'POST', body: new URLSearchParams(fields).toString(), headers })
  }

  /** Follows redirects up to an address that begins with `stop`, which is not loaded. */
  async travel(url: string, stop: string): Promise<URL> {
    let next = url
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      if (next.startsWith(stop)) return new URL(next)
      const { status, location, text } = await this.get(next)
      if (location === null) throw new Error(`${next} answered ${status}: ${text.slice(0, 300)}`)
      next = location
    }
    throw new Error(`Too many redirects, last to ${next}`)
  }

  cookie(name: string): string | undefined {
    return this.cookies.find((cookie) => cookie.name === name)?.value
  }

  async #send(
    url: string,
    options: Omit<RequestInit, 'headers'> & { headers: Record<string, string> },
  ): Promise<Page> {
    const { origin, pathname } = new URL(url)
    const fitting = this.cookies.filter((c) => c.origin === origin && pathname.startsWith(c.path))
    const cookie = fitting.map(({ name, value }) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      ...options,
      redirect: 'manual',
      headers: { ...options.headers, ...(cookie !== '' && { cookie }) },
    })
    for (const line of response.headers.getSetCookie()) this.#keep(origin, line)
    const location = response.headers.get('location')
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return {
      url,
      status: response.status,
      location: location === null ? null : new URL(location, url).href,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : null,
    }
  }

  #keep(origin: string, line: string): void {
    const [pair = '', ...attributes] = line.split('; ')
    const name = pair.slice(0, pair.indexOf('='))
    const value = pair.slice(name.length + 1)
    const attribute = (key: string) =>
      attributes.find((text) => text.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1)
    const path = attribute('path') ?? '/'
    this.cookies = this.cookies.filter((c) => c.name !== name || c.origin !== origin || c.path !== path)
    const expires = attribute('expires')
    const gone = attribute('max-age') === '0' || (expires !== undefined && Date.parse(expires) < Date.now())
    if (!gone) this.cookies.push({ name, value, path, origin })
  }
}
