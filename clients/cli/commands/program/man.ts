import type { Command } from 'commander'
import { write } from '../../terminal/terminal.ts'
import { manPage } from '../../terminal/man-page.ts'
import type { Session } from '../../session.ts'

const SECTIONS: [string, string[]][] = [
  [
    'EXIT STATUS',
    [
      '0: done, or there was nothing to do.',
      '1: failed. The service is unreachable or has an error, the DNS provider refused, or a large change was not completed.',
      '2: invalid command line, or an unreadable file.',
      '3: the domain, record, change or plan does not exist.',
      '4: refused. An invalid value, or a conflict.',
      '5: not signed in, or the token lacks the permission.',
      '6: there are differences, or something has not ended yet.',
      '7: not confirmed; nothing was done.',
      '8: the change needs a review.',
    ],
  ],
  [
    'ENVIRONMENT',
    [
      'ZONEKEEPER_URL, ZONEKEEPER_TOKEN: take precedence over the stored login.',
      'XDG_CONFIG_HOME: folder of the stored login.',
      'NO_COLOR: turns colors off.',
      'NODE_EXTRA_CA_CERTS: file with your own certificate authority.',
    ],
  ],
]

/** Adds `man`, which prints the manual page. */
export function addMan(program: Command, session: Session): void {
  program
    .command('man')
    .description('print the manual page')
    .addHelpText('after', '\nzonekeeper man | man -l -')
    .action(() => write(session.terminal.stdout, manPage(program, program.version() ?? '', SECTIONS)))
}
