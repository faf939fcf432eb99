import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

export const mirrors = {
  about: (provider: string) =>
    `Each change is applied at “${provider}” and then, in the same order, at each mirror.`,
  none: 'No mirrors yet. A mirror serves this domain from a second provider.',
  readOnly: 'Only the owner of the domain and administrators add, promote and remove mirrors.',
  needsAll: 'Mirrors are shown to those who have access to the whole domain.',
  zoneAt: (provider: string, zone: string) => `${provider}, zone ${zone}`,
  state: {
    in_step: 'in step',
    behind: (count: number) => plural(count, { one: 'behind (# change)', other: 'behind (# changes)' }),
    failed: 'failed',
    differs: 'differs',
  },
  failed: 'Changes can’t be applied there:',
  tried: 'The last attempt failed:',
  lastInStep: 'Last in step',
  now: 'now',
  applied: 'Last change applied',
  compared: 'Last compared',
  next: 'Next attempt',
  differences: 'Differences found',
  notCompared: 'not compared yet',
  nameServers: 'Name servers',
  unknownServers: 'The provider doesn’t list its name servers; look them up there.',
  findings: 'What the provider can’t hold as it is here',
  missing: 'missing',
  different: 'different',
  moreFindings: (count: string) => `${count} more are not listed.`,
  add: 'Add mirror',
  addTitle: 'Add a mirror',
  addAbout:
    'The records are brought over in the background. Turn off DNSSEC first: each provider signs with its own keys.',
  connection: 'Connection',
  createZone: 'Create the zone at the provider if missing',
  noOther: 'There is no other connection that can hold a mirror.',
  connect: 'Connect DNS provider',
  added: (name: string) => `Mirror at ${name} added`,
  compare: 'Compare',
  retry: 'Compare and retry',
  compareTitle: (name: string) => `Compare ${name} with this domain`,
  comparing: 'Reading the zone of the mirror',
  same: 'The mirror has the same records.',
  compareAbout: 'These changes would make the mirror the same as this domain. Nothing changes here.',
  sync: (count: number) =>
    count === 0 ? 'Sync' : plural(count, { one: 'Sync # change', other: 'Sync # changes' }),
  synced: 'The mirror was synced',
  queued: 'These are many changes: they are applied in the background',
  muchTitle: 'Delete this many records at the mirror?',
  much: (count: number) =>
    plural(count, {
      one: '# record of the mirror would be deleted, because it doesn’t exist here.',
      other: '# records of the mirror would be deleted, because they don’t exist here.',
    }),
  muchWhy: 'This is more than 30 % of its zone. Make sure that it is the right zone.',
  force: (count: number) => plural(count, { one: 'Delete # record', other: 'Delete # records' }),
  promote: 'Promote',
  promoteTitle: (name: string) => `Promote ${name}?`,
  promoteAbout:
    'Changes go to this provider first from now on, and the previous provider becomes the mirror. No record changes.',
  promoteForce:
    'Also if it is not in step. Changes that it lacks are dropped, and the records here become those of its zone.',
  promoted: (name: string) => `Changes go to ${name} first now`,
  remove: 'Remove',
  removeTitle: (name: string) => `Remove the mirror at ${name}?`,
  removeAbout:
    'The zone stays at the provider and gets no further changes. Remove its name servers at the registrar first.',
  removeAction: 'Remove mirror',
  removed: 'Mirror removed',
  move: {
    title: 'Move to another provider',
    about:
      'Both providers answer alike during the move, so nothing stops working. You can leave this page and come back at any time.',
    dnssec:
      'Turn off DNSSEC at the current provider before you start, and remove its DS records at the registrar. Turn it on at the new provider after the move.',
    back: 'Mirrors',
    steps: 'Steps of the move',
    done: 'done',
    mirror: 'Add a mirror at the new provider',
    inStep: 'Wait until it is in step',
    delegate: 'Change the delegation',
    verify: 'Verify at the parent zone',
    promote: 'Promote the mirror',
    remove: 'Remove the old provider',
    continues: 'Or continue a move that was started:',
    continueWith: (name: string) => `Move to ${name}`,
    finish: (name: string) => `Finish the move to ${name}`,
    waits: (count: number) =>
      plural(count, {
        one: '# change is still missing there. This page follows it.',
        other: '# changes are still missing there. This page follows them.',
      }),
    differs: 'Records are missing or different there. Compare and sync the mirror.',
    set: 'Set these name servers at your registrar, instead of those of the current provider:',
    parent: (servers: string) => `The parent zone names ${servers}.`,
    noParent: 'The parent zone doesn’t delegate this domain.',
    unknownParent: 'The parent zone can’t be asked.',
    bothParent: 'Name servers of both providers are set. Remove those of the old one at your registrar.',
    again: 'Check the parent zone',
    every: 'It is asked again every 30 seconds. A change at the registrar can take some hours.',
    unchecked: 'The name servers have been changed',
    promoteAbout:
      'Changes go to the new provider first, and the old one becomes the mirror. No record changes.',
    removeAbout:
      'Resolvers use the old provider until the TTL of the old delegation is over, often two days. Remove its mirror after that.',
    stillOld: 'The parent zone still names servers of the old provider. Don’t remove it yet.',
    whenFinished: (name: string) => `The move is complete: this domain is at ${name} only.`,
  },
}
