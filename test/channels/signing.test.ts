import t from 'tap'
import { signChatA } from '../../modules/channels/senders/chats/dingtalk.ts'
import { signChatB } from '../../modules/channels/senders/chats/feishu.ts'
import { signWebhook } from '../../modules/channels/senders/webhook.ts'

void t.test('the signatures are those of the receivers', async (t) => {
  t.equal(
    signChatA('SEC0123456789abcdef', 1700000000000),
    'TSZbRFUuvaSQaRKUpF970OPCb2/LcQAP3wOvwZIzBZk=',
    'DingTalk',
  )
  t.equal(
    signChatB('feishu-test-secret', 1700000000),
    'e3MJ8Q5llVxGJ8pVkGPBhexDAgjvYqpjPP1GkY9XceI=',
    'Feishu',
  )
  t.equal(
    signWebhook(
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1614265330,
      '{"test": 2432232314}',
    ),
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    'Standard Webhooks',
  )
})
