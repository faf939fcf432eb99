import {
  startServer,
  type SimulatorAnswer,
  type SimulatorRequest,
} from '../../conformance/simulators/server.ts'

export interface Owner {
  teardown(end: () => unknown): void
}

/** A message as people see it in the chat. */
export interface Shown {
  text: string
  /** Who is called. */
  mentions: string[]
  /** Where one can go to. */
  links: string[]
}

export const json = (
  status: number,
  body: object,
  headers: Record<string, string> = {},
): SimulatorAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

export const plain = (status: number, body: string): SimulatorAnswer => ({
  status,
  headers: { 'content-type': 'text/plain' },
  body,
})

/** What chats make a link of wherever it stands in a text. */
export const addressesIn = (text: string): string[] => text.match(/\b[a-z]+:\/\/[^\s)>"]+/gi) ?? []
export const callsIn = (text: string): string[] => text.match(/@\w+/g) ?? []

/** A chat: `judge` answers what it shows, or how it refuses. */
export async function startChat(
  t: Owner,
  judge: (request: SimulatorRequest, body: Record<string, unknown>) => Shown | SimulatorAnswer,
  { path, taken }: { path: string; taken: SimulatorAnswer },
) {
  const shown: Shown[] = []
  const server = await startServer((request) => {
    if (request.headers['content-type'] !== 'application/json') return plain(415, 'content type')
    const verdict = judge(request, JSON.parse(request.body) as Record<string, unknown>)
    if ('status' in verdict) return verdict
    shown.push(verdict)
    return taken
  })
  t.teardown(() => server.close())
  return { ...server, shown, address: server.url + path }
}

export type Chat = Awaited<ReturnType<typeof startChat>>

const hasOnly = (body: object, ...names: string[]) => Object.keys(body).every((name) => names.includes(name))

interface SlackText {
  type: string
  text: string
}

/** Slack: words as answers; `<…>` is what it acts upon, in texts with markup. */
export async function startSlack(t: Owner, path = '/services/T0/B0/slack-secret-of-the-hook') {
  const meant = (text: string) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  const look = (text: string) => ({
    text: meant(text),
    mentions: text.match(/<[!@#][^>]+>/g) ?? [],
    links: [
      ...[...text.matchAll(/<(https?:[^|>]+)(\|[^>]*)?>/g)].map((match) => match[1] ?? ''),
      ...addressesIn(text.replaceAll(/<[^>]*>/g, '')),
    ],
  })
  const judge = (request: SimulatorRequest, body: Record<string, unknown>) => {
    if (request.path !== path) return plain(404, 'no_service')
    const { text, blocks } = body as { text?: string; blocks?: { type: string; text: SlackText }[] }
    if (!text) return plain(400, 'no_text')
    const isWrong = ({ type, text: { type: kind, text } }: { type: string; text: SlackText }) =>
      !['header', 'section'].includes(type) ||
      (type === 'header' && kind !== 'plain_text') ||
      text.length === 0 ||
      text.length > (type === 'header' ? 150 : 3_000)
    if (!blocks || blocks.some(isWrong)) return plain(400, 'invalid_blocks')
    const first = look(text)
    const parts = blocks.map(({ text: part }) =>
      part.type === 'mrkdwn' ? look(part.text) : { text: meant(part.text), mentions: [], links: [] },
    )
    return {
      text: parts.map((part) => part.text).join('\n'),
      mentions: [first, ...parts].flatMap(({ mentions }) => mentions),
      links: [first, ...parts].flatMap(({ links }) => links),
    }
  }
  return startChat(t, judge, { path, taken: plain(200, 'ok') })
}

/** Markdown as chats show it: what is escaped is text. */
function look(markdown: string): Shown {
  const escaped: string[] = []
  const text = markdown.replaceAll(/\\([^A-Za-z0-9\s])/g, (_match, character: string) => {
    escaped.push(character)
    return '\ue000'
  })
  const back = (part: string) => part.replaceAll('\ue000', () => escaped.shift() ?? '')
  const bare = text.replaceAll(/\[[^\]]*\]\(([^)]*)\)/g, '')
  return {
    links: [
      ...[...text.matchAll(/\[[^\]]*\]\(([^)]*)\)/g)].map((match) => match[1] ?? ''),
      ...addressesIn(bare),
    ],
    mentions: [...callsIn(text), ...(text.match(/<[@#!][^>]*>/g) ?? [])],
    text: back(text.replaceAll(/\*\*|\]\([^)]*\)/g, '')),
  }
}

/** Discord: 204, and codes in JSON. */
export async function startDiscord(t: Owner, path = '/api/webhooks/1029/discord-token') {
  const judge = (request: SimulatorRequest, body: Record<string, unknown>) => {
    if (request.path !== path) return json(404, { message: 'Unknown Webhook', code: 10015 })
    const {
      content = '',
      embeds = [],
      allowed_mentions,
    } = body as {
      content?: string
      embeds?: {
        title: string
        description: string
        color: number
        timestamp: string
        footer: { text: string }
      }[]
      allowed_mentions?: { parse: string[] }
    }
    if (content === '' && embeds.length === 0) return json(400, { message: 'empty', code: 50006 })
    const isWrong = embeds.some(
      (embed) =>
        embed.title.length > 256 ||
        embed.description.length > 4096 ||
        !Number.isInteger(embed.color) ||
        Number.isNaN(Date.parse(embed.timestamp)) ||
        embed.title.length + embed.description.length + embed.footer.text.length > 6000,
    )
    if (content.length > 2000 || isWrong) return json(400, { message: 'Invalid Form Body', code: 50035 })
    const shown = embeds.map(({ title, description }) => look(`${title}\n${description}`))
    return {
      text: shown.map(({ text }) => text).join('\n'),
      mentions: allowed_mentions?.parse.length === 0 ? [] : ['@everyone'],
      links: shown.flatMap(({ links }) => links),
    }
  }
  return startChat(t, judge, { path, taken: { status: 204 } })
}

/** Google Chat: cards with a markup like HTML, and errors as all of Google's. */
export async function startGoogleChat(t: Owner, path = '/v1/spaces/AAQA/messages') {
  const refuse = (code: number, status: string) => json(code, { error: { code, message: 'theirs', status } })
  const judge = (request: SimulatorRequest, body: Record<string, unknown>) => {
    if (request.path !== path) return refuse(404, 'NOT_FOUND')
    if (request.query.get('key') !== 'google-key' || request.query.get('token') !== 'google=token') {
      return refuse(401, 'UNAUTHENTICATED')
    }
    if (!hasOnly(body, 'text', 'cardsV2', 'fallbackText', 'thread')) return refuse(400, 'INVALID_ARGUMENT')
    if (Buffer.byteLength(request.body) > 32_000) return refuse(400, 'INVALID_ARGUMENT')
    const { cardsV2 = [] } = body as {
      cardsV2?: {
        card: {
          header: { title: string }
          sections: {
            widgets: {
              textParagraph?: { text: string }
              buttonList?: { buttons: { onClick: { openLink: { url: string } } }[] }
            }[]
          }[]
        }
      }[]
    }
    const widgets = cardsV2.flatMap(({ card }) => card.sections.flatMap((section) => section.widgets))
    const texts = widgets.flatMap(({ textParagraph }) => (textParagraph ? [textParagraph.text] : []))
    const buttons = widgets.flatMap(({ buttonList }) => buttonList?.buttons ?? [])
    const marked = texts.join('\n')
    return {
      text: [...cardsV2.map(({ card }) => card.header.title), asText(marked)].join('\n'),
      mentions: marked.match(/<users\/[^>]+>/g) ?? [],
      links: [
        ...[...marked.matchAll(/<a href="([^"]*)"/g)].map((match) => match[1] ?? ''),
        ...addressesIn(marked.replaceAll(/<[^>]*>/g, '')),
        ...buttons.map(({ onClick }) => onClick.openLink.url),
      ],
    }
  }
  const chat = await startChat(t, judge, { path, taken: json(200, { name: 'spaces/AAQA/messages/1' }) })
  return { ...chat, address: `${chat.address}?key=google-key&token=google%3Dtoken` }
}

export const asText = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** A workflow of Teams: 202 for an Adaptive Card. Plain texts alone are shown as they are. */
export async function startTeams(t: Owner, path = '/workflows/4f6a/triggers/manual/paths/invoke') {
  const refuse = (status: number, code: string) => json(status, { error: { code, message: 'theirs' } })
  const judge = (request: SimulatorRequest, body: Record<string, unknown>) => {
    if (request.path !== path) return refuse(404, 'WorkflowNotFound')
    if (request.query.get('sig') !== 'teams-signature') return refuse(401, 'DirectApiAuthorizationRequired')
    if (Buffer.byteLength(request.body) > 28_000) return refuse(413, 'RequestEntityTooLarge')
    const { type, attachments = [] } = body as {
      type?: string
      attachments?: {
        contentType: string
        content: {
          type: string
          version: string
          body: { type: string; inlines?: { type: string; text: string }[] }[]
          actions?: { type: string; url: string }[]
        }
      }[]
    }
    const isWrong = attachments.some(
      ({ contentType, content }) =>
        contentType !== 'application/vnd.microsoft.card.adaptive' ||
        content.type !== 'AdaptiveCard' ||
        content.body.some(({ type: kind, inlines }) => kind !== 'RichTextBlock' || !inlines?.length),
    )
    if (type !== 'message' || attachments.length === 0 || isWrong) {
      return refuse(400, 'TriggerInputSchemaMismatch')
    }
    const runs = attachments.flatMap(({ content }) => content.body.flatMap(({ inlines }) => inlines ?? []))
    const text = runs.map((run) => run.text).join('\n')
    return {
      text,
      mentions: text.match(/\{\{(DATE|TIME)\(/g) ?? [],
      links: attachments.flatMap(({ content }) => (content.actions ?? []).map(({ url }) => url)),
    }
  }
  const chat = await startChat(t, judge, { path, taken: { status: 202 } })
  return { ...chat, address: `${chat.address}?api-version=2016-06-01&sig=teams-signature` }
}

/** Mattermost: Slack's own marks become its own, then Markdown. */
export async function startMattermost(t: Owner, path = '/hooks/mattermost-hook') {
  const refuse = (status: number, id: string) => json(status, { id, message: 'theirs', status_code: status })
  const judge = (request: SimulatorRequest, body: Record<string, unknown>) => {
    if (request.path !== path) return refuse(400, 'web.incoming_webhook.invalid.app_error')
    const { text = '' } = body as { text?: string }
    if (text === '') return refuse(400, 'web.incoming_webhook.text.app_error')
    if (text.length > 16_383) return refuse(400, 'too long for one post')
    const own = text.replaceAll(/<!(\w+)>/g, '@$1').replaceAll(/<([^<|]+)\|([^>]+)>/g, '[$2]($1)')
    const shown = look(own)
    return { ...shown, text: asText(shown.text) }
  }
  return startChat(t, judge, { path, taken: plain(200, 'ok') })
}
