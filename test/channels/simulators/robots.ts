import { createHmac } from 'node:crypto'
import {
  startServer,
  type SimulatorAnswer,
  type SimulatorRequest,
} from '../../conformance/simulators/server.ts'

interface Owner {
  teardown(end: () => unknown): void
}

const HOUR_MS = 3_600_000
const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64')
const answer = (body: object): SimulatorAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** A robot of a group: it judges what it is told and answers 200 in any case. */
async function startRobot(
  t: Owner,
  path: string,
  judge: (request: SimulatorRequest) => object,
  told: string[],
) {
  const server = await startServer((request) => {
    if (request.method !== 'POST' || request.path !== path) return { status: 404, body: 'not found' }
    return answer(judge(request))
  })
  t.teardown(() => server.close())
  return { ...server, told }
}

/** DingTalk: signature and token in the query, `errcode` in the answer. `told`: the texts it took. */
export async function startDingTalk(t: Owner, { token = 'ding-token', secret = 'SECding' } = {}) {
  const told: string[] = []
  const limits = { messages: Infinity, clockOff: 0 }
  const judge = ({ query, headers, body }: SimulatorRequest) => {
    if (headers['content-type'] !== 'application/json') return { errcode: 43004, errmsg: 'content-type' }
    if (query.get('access_token') !== token) return { errcode: 300005, errmsg: 'token is not exist' }
    const ms = query.get('timestamp') ?? ''
    const skew = Math.abs(Number(ms) - Date.now() - limits.clockOff)
    if (!/^\d{13}$/.test(ms) || skew > HOUR_MS) return { errcode: 310000, errmsg: 'invalid timestamp' }
    if (query.get('sign') !== hmac(secret, `${ms}\n${secret}`)) {
      return { errcode: 310000, errmsg: 'sign not match, more: [https://ding-doc.example/x]' }
    }
    if (Buffer.byteLength(body) > 20_000) return { errcode: 460101, errmsg: 'message too long' }
    const { msgtype, text } = JSON.parse(body) as { msgtype: string; text?: { content?: string } }
    if (msgtype !== 'text' || !text?.content) return { errcode: 400102, errmsg: 'missing content' }
    if (told.length >= limits.messages) return { errcode: 130101, errmsg: 'send too fast' }
    told.push(text.content)
    return { errcode: 0, errmsg: 'ok' }
  }
  const robot = await startRobot(t, '/robot/send', judge, told)
  return { ...robot, limits, config: { webhookUrl: `${robot.url}/robot/send?access_token=${token}`, secret } }
}

/** Feishu: signature in the body, `code` in the answer. `told`: title and text of what it took. */
export async function startFeishu(t: Owner, { hook = 'feishu-hook-id', secret = 'feishu-secret' } = {}) {
  const told: string[] = []
  const judge = ({ body }: SimulatorRequest) => {
    if (Buffer.byteLength(body) > 20_480) return { code: 9499, msg: 'Bad Request', data: {} }
    const {
      timestamp = '',
      sign,
      msg_type,
      content,
    } = JSON.parse(body) as {
      timestamp?: string
      sign?: string
      msg_type: string
      content: {
        post?: { zh_cn?: { title?: string; content?: { tag: string; text?: string; href?: string }[][] } }
      }
    }
    const isLate = Math.abs(Number(timestamp) * 1000 - Date.now()) > HOUR_MS
    if (!/^\d{10}$/.test(timestamp) || isLate || sign !== hmac(`${timestamp}\n${secret}`, '')) {
      return { code: 19021, msg: 'sign match fail or timestamp is not within one hour from current time' }
    }
    const post = content.post?.zh_cn
    if (msg_type !== 'post' || !post?.content) return { code: 9499, msg: 'Bad Request', data: {} }
    const elements = post.content.flat()
    const isWrong = elements.some(({ tag, text, href }) => !text || (tag === 'a' ? !href : tag !== 'text'))
    if (isWrong) return { code: 9499, msg: 'Bad Request', data: {} }
    const shown = elements.map(({ text, href }) => (href === undefined ? text : `${text} (${href})`))
    told.push([post.title, ...shown].join('\n'))
    return { StatusCode: 0, StatusMessage: 'success', code: 0, msg: 'success', data: {} }
  }
  const robot = await startRobot(t, `/open-apis/bot/v2/hook/${hook}`, judge, told)
  return { ...robot, config: { webhookUrl: `${robot.url}/open-apis/bot/v2/hook/${hook}`, secret } }
}
