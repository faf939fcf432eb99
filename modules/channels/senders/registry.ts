import { chatA } from './chat-a.ts'
import { chatB } from './chat-b.ts'
import type { ChannelKind, Sender } from './contract.ts'
import { email } from './email.ts'
import { web } from './web.ts'
import { webhook } from './webhook.ts'

const SENDERS: Record<ChannelKind, Sender> = { chat_a: chatA, chat_b: chatB, email, webhook, web }

export const CHANNELS = Object.keys(SENDERS) as ChannelKind[]

export const senderOf = (kind: ChannelKind): Sender => SENDERS[kind]
