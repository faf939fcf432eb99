import type { FieldTable } from '../../fields.ts'

const robot = {
  webhookUrl: { title: '机器人地址' },
  secret: { title: '加签密钥', help: '机器人启用加签校验时填写。' },
}

/** Exceptions to the common field names. */
export const channelFields: FieldTable['of'] = {
  chat_a: robot,
  chat_b: robot,
  telegram: {
    botToken: { title: '机器人令牌', help: '由 @BotFather 给出。' },
    chatId: { title: '会话', help: '会话或群组的 ID，或公开频道的 @名称。' },
    threadId: { title: '话题', help: '论坛群组中话题的 ID。' },
    apiUrl: { title: 'Bot API 服务器', help: '自建的服务器；留空则使用 Telegram 的服务器。' },
  },
  google_chat: { threads: { title: '每个域名一个会话', help: '同一域名的消息放在一起。' } },
  ntfy: { url: { title: '主题地址' }, token: { help: '主题未对所有人开放时填写。' } },
  email: { to: { title: '邮箱地址' } },
  webhook: {
    url: { title: '接收方地址' },
    secret: { help: '“whsec_”加 24 至 64 字节的 base64，或任意 16 个以上字符的文本。' },
    template: {
      title: '消息体模板',
      help: '替代默认的消息体。可使用 {{event}}、{{id}}、{{title}}、{{content}}、{{level}}、{{createdAt}}、{{url}}、{{metadata}} 和 {{metadata.…}}。',
    },
    contentType: { title: '模板的类型', help: '未设置时为 application/json。' },
  },
}
