import type { SimulatorRequest } from '../../conformance/simulators/server.ts'
import { addressesIn, asText, callsIn, json, startChat, type Owner } from './chats.ts'

export const BOT_TOKEN = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'

/** A Bot API server of Telegram; a chat that was upgraded has another id. */
export async function startTelegram(t: Owner) {
  const refuse = (status: number, description: string, parameters?: object) =>
    json(status, { ok: false, error_code: status, description, ...(parameters && { parameters }) })
  const judge = (request: SimulatorRequest, body: Record<string, unknown>) => {
    const token = /^\/bot([^/]+)\/sendMessage$/.exec(request.path)?.[1]
    if (token === undefined) return refuse(404, 'Not Found')
    if (token !== BOT_TOKEN) return refuse(401, 'Unauthorized')
    const {
      chat_id,
      message_thread_id,
      text = '',
      parse_mode,
      link_preview_options,
    } = body as {
      chat_id?: string
      message_thread_id?: number
      text?: string
      parse_mode?: string
      link_preview_options?: { is_disabled: boolean }
    }
    if (chat_id === '-77') {
      const parameters = { migrate_to_chat_id: -1001234567890 }
      return refuse(400, 'Bad Request: group chat was upgraded to a supergroup chat', parameters)
    }
    if (chat_id !== '-1001234567890') return refuse(400, 'Bad Request: chat not found')
    if (message_thread_id === 404) return refuse(400, 'Bad Request: message thread not found')
    const withoutTags = text.replaceAll(/<\/?b>|<a href="[^"<>]*">|<\/a>/g, '')
    if (parse_mode !== 'HTML' || /[<>]|&(?!(lt|gt|amp|quot|#39);)/.test(withoutTags)) {
      return refuse(400, "Bad Request: can't parse entities: Unsupported start tag")
    }
    const said = asText(text)
    if (said.trim() === '') return refuse(400, 'Bad Request: message text is empty')
    if (said.length > 4096) return refuse(400, 'Bad Request: message is too long')
    return {
      text: said,
      mentions: callsIn(said),
      links: [
        ...[...text.matchAll(/<a href="([^"]*)"/g)].map((match) => match[1] ?? ''),
        ...addressesIn(said),
        ...(link_preview_options?.is_disabled === true ? [] : ['a preview']),
      ],
    }
  }
  return startChat(t, judge, { path: '', taken: json(200, { ok: true, result: { message_id: 1 } }) })
}

export const NTFY_TOKEN = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'

/** A server of ntfy with one topic that is not open to all. */
export async function startNtfy(t: Owner, topic = 'zonekeeper-4f6a1c') {
  const refuse = (code: number, error: string) =>
    json(Math.floor(code / 100), { code, http: Math.floor(code / 100), error })
  const judge = (request: SimulatorRequest, body: Record<string, unknown>) => {
    if (request.path !== '/') return refuse(40401, 'page not found')
    if (request.headers.authorization !== `Bearer ${NTFY_TOKEN}`) return refuse(40101, 'unauthorized')
    if (body['topic'] !== topic) return refuse(40301, 'forbidden')
    const { message, title, priority, tags, click } = body as {
      message: string
      title: string
      priority: number
      tags: string[]
      click?: string
    }
    if (![1, 2, 3, 4, 5].includes(priority)) return refuse(40007, 'invalid priority parameter')
    if (Buffer.byteLength(message) > 4096) return refuse(41301, 'attachment too large')
    return {
      text: `${tags.join(',')} ${priority}\n${title}\n${message}`,
      mentions: callsIn(message),
      links: [...addressesIn(`${title} ${message}`), ...(click === undefined ? [] : [click])],
    }
  }
  const taken = json(200, { id: 'sPs71M8A2T', time: 1, event: 'message', topic })
  return startChat(t, judge, { path: `/${topic}`, taken })
}
