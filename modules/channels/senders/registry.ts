import { chatA } from './dingtalk.ts'
import { chatB } from './feishu.ts'
import type { ChannelKind, Sender } from './contract.ts'
import { discord } from './discord.ts'
import { email } from './email.ts'
import { googleChat } from './google-chat.ts'
import { mattermost } from './mattermost.ts'
import { ntfy } from './ntfy.ts'
import { slack } from './slack.ts'
import { teams } from './teams.ts'
import { telegram } from './telegram.ts'
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
