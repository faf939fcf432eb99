import t from 'tap'
import { afterFailure, RETRY_POLICY } from '../../modules/channels/delivery/retries.ts'
import { waitSecondsOf } from '../../modules/channels/senders/calls.ts'
import { DeliveryError } from '../../modules/channels/senders/contract.ts'

const HOUR = 3_600
const down = new DeliveryError('down', { code: 'receiver_unreachable' })
const middle = () => 0.5
const after = (error: DeliveryError, tries: number, failures = tries, hours = 0) =>
  afterFailure(error, { tries, failures, age_seconds: hours * HOUR }, RETRY_POLICY, middle)

void t.test('eight tries in about a day', async (t) => {
  const waits = [0, 1, 2, 3, 4, 5, 6].map((tries) => after(down, tries))
  t.ok(waits.every(({ dead }) => !dead))
  const hours = waits.reduce((sum, { delaySeconds }) => sum + delaySeconds, 0) / HOUR
  t.ok(hours > 20 && hours < 28, `${hours} hours`)
  t.match(after(down, 7), { dead: true, delaySeconds: 0, counts: true, disable: false })
})

void t.test('waits differ by a fifth, so that not all come back at once', async (t) => {
  const [least, most] = [() => 0, () => 1].map(
    (random) =>
      afterFailure(down, { tries: 1, failures: 1, age_seconds: 0 }, RETRY_POLICY, random).delaySeconds,
  )
  t.equal(least, 240)
  t.equal(Math.round(most ?? 0), 360)
})

void t.test('a long outage does not multiply', async (t) => {
  t.match(after(down, 0, 3, 40), { dead: false }, 'an old message has a chance when the receiver was there')
  t.match(after(down, 0, 9, 2), { dead: false, delaySeconds: 8 * HOUR }, 'a new one waits with its channel')
  t.match(after(down, 0, 9, 25), { dead: true, deadFrom: 24 * HOUR }, 'an old one goes, and those of its age')
  t.match(after(down, 7, 3), { dead: true, deadFrom: null }, 'a single bad message takes none with it')
})

void t.test('what the receiver asks for', async (t) => {
  t.equal(after(new DeliveryError('busy', { code: 'receiver_busy', waitSeconds: 600 }), 0).delaySeconds, 600)
  t.equal(
    after(new DeliveryError('busy', { code: 'receiver_busy', waitSeconds: 1 }), 0).delaySeconds,
    5,
    'never sooner than usual',
  )
  t.match(after(new DeliveryError('too long', { code: 'receiver_message_long', kind: 'permanent' }), 0), {
    dead: true,
    counts: false,
  })
  t.match(after(new DeliveryError('gone', { code: 'receiver_gone', kind: 'gone' }), 0), {
    dead: true,
    disable: true,
  })
})

void t.test('Retry-After, within reason', async (t) => {
  t.equal(waitSecondsOf({ headers: { 'retry-after': '120' } }), 120)
  t.equal(waitSecondsOf({ headers: { 'retry-after': '99999999' } }), HOUR)
  t.equal(waitSecondsOf({ headers: {} }), 0)
})
