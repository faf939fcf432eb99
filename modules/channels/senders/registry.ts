import { chatA } from './chats/dingtalk.ts'
import { chatB } from './chats/feishu.ts'
import type { ChannelKind, Sender } from './contract.ts'
import { discord } from './chats/discord.ts'
import { email } from './email.ts'
import { googleChat } from './chats/google-chat.ts'
import { mattermost } from './chats/mattermost.ts'
import { ntfy } from './chats/ntfy.ts'
import { slack } from './chats/slack.ts'
import { teams } from './chats/teams.ts'
import { telegram } from './chats/telegram.ts'
import { web } from './web.ts'
import { webhook } from './webhook.ts'

export const SENDERS: Record<ChannelKind, Sender> = {
  chat_a: chatA,
  chat_b: chatB,
  slack,
  discord,
  telegram,
  google_chat: googleChat,
  teams,
  mattermost,
  ntfy,
  email,
  webhook,
  web,
}

export const CHANNELS = Object.keys(SENDERS) as ChannelKind[]

export const senderOf = (kind: ChannelKind): Sender => SENDERS[kind]
